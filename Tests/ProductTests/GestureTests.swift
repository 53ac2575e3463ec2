// What the program finds in real clips.
import Evaluation
import Fixtures
import Foundation
import Gestures
import Testing

@Suite("Gestures in clips")
struct GestureTests {
  private let scratch = try! Scratch()

  private func export(_ clip: String, _ options: String...) throws -> Recording {
    let path = scratch.path("\(UUID()).jsonl")
    let outcome = try Program.run(["export", clip, "-o", path] + options)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try Recording(path: path)
  }

  private func expectScript(
    _ recording: Recording, _ truth: Truth, purseDelay: Double, tiltDelay: Double
  ) {
    let tilts = Tally(.tilt, events: recording.events, truth: truth)
    #expect((tilts.found, tilts.expected, tilts.falseEvents) == (4, 4, 0))
    #expect(tilts.delays.count == 4 && tilts.delays.allSatisfy { $0 <= tiltDelay })
    let purses = Tally(.purse, events: recording.events, truth: truth)
    #expect((purses.found, purses.expected, purses.falseEvents) == (8, 8, 0))
    #expect(purses.delays.allSatisfy { $0 <= purseDelay })
    #expect(recording.jumps == [1, 1, 1, 2, 1, 1, 2, 1])
    #expect(!recording.isCutShort)
  }

  @Test("The demo: every scripted tilt and purse begins once, in time, and nothing else; quick doubles jump twice")
  func demo() throws {
    expectScript(try export(Checkout.demo), try Checkout.demoTruth(), purseDelay: 0.2, tiltDelay: 2.0 / 30 + 0.001)
  }

  @Test("The demo from far away is no harder", .needsCases)
  func far() throws {
    let recording = try export(Checkout.cases.appending(path: "demo-far.mp4").path())
    expectScript(recording, try Checkout.demoTruth(), purseDelay: 0.2, tiltDelay: 2.0 / 30 + 0.001)
  }

  @Test("In the dark every tilt begins once, a frame later at most; most purses do, and none is made up", .needsCases)
  func dark() throws {
    let recording = try export(Checkout.cases.appending(path: "demo-dark.mp4").path())
    let truth = try Checkout.demoTruth()
    let tilts = Tally(.tilt, events: recording.events, truth: truth)
    #expect((tilts.found, tilts.falseEvents) == (4, 0))
    #expect(tilts.delays.allSatisfy { $0 <= 3.0 / 30 + 0.001 })
    let purses = Tally(.purse, events: recording.events, truth: truth)
    #expect(purses.found >= 6 && purses.falseEvents == 0)
  }

  @Test("A still face jitters by no more than 0.1° RMS after the filter", .needsCases)
  func jitter() throws {
    let recording = try export(Checkout.cases.appending(path: "roll-stairs.mp4").path())
    let truth = try Truth(json: Data(contentsOf: Checkout.cases.appending(path: "roll-stairs.truth.json")))
    let script = try #require(truth.roll)
    let rolls = recording.frames.map { $0.signals?.roll ?? .nan }
    // The last 14 frames of each landing of the stairs, which have 20: the filter has settled.
    let landings = script.indices.dropFirst(20).filter { index in
      script[(index - 19)...index].allSatisfy { abs($0 - script[index]) < 0.01 }
        && (index + 1 == script.count || abs(script[index + 1] - script[index]) >= 0.01)
    }.map { rolls[($0 - 13)...$0] }
    try #require(landings.count > 20)
    let squares = landings.flatMap { landing in
      let mean = landing.reduce(0, +) / Double(landing.count)
      return landing.map { ($0 - mean) * ($0 - mean) }
    }
    #expect((squares.reduce(0, +) / Double(squares.count)).squareRoot() <= 0.1)
  }

  @Test(
    "The roll of the stairs, and in the dark, is within half a degree on average", .needsCases,
    arguments: ["roll-stairs", "roll-dark"])
  func roll(name: String) throws {
    let recording = try export(Checkout.cases.appending(path: "\(name).mp4").path())
    let truth = try Truth(json: Data(contentsOf: Checkout.cases.appending(path: "\(name).truth.json")))
    let measured = recording.frames.compactMap { frame in frame.signals.map { (frame.frameIndex, $0.rawRoll) } }
    let accuracy = try #require(RollAccuracy(measured: Dictionary(uniqueKeysWithValues: measured), truth: truth))
    #expect(accuracy.frames >= truth.roll!.count - 5)
    #expect(accuracy.meanError <= 0.5)
  }

  @Test("A 20° step crosses 12° within one frame of the truth after the filter", .needsCases)
  func step() throws {
    let recording = try export(Checkout.cases.appending(path: "roll-dark.mp4").path())
    let truth = try Truth(json: Data(contentsOf: Checkout.cases.appending(path: "roll-dark.truth.json")))
    let script = try #require(truth.roll).map { $0 - truth.roll![0] }
    let crossings = script.indices.dropFirst().filter { abs(script[$0]) >= 12 && abs(script[$0 - 1]) < 12 }
    try #require(!crossings.isEmpty)
    for crossing in crossings {
      let sign = script[crossing] < 0 ? -1.0 : 1.0
      let reached = recording.frames.first {
        $0.frameIndex >= crossing - 2 && ($0.signals?.roll ?? 0) * sign >= 12
      }
      #expect(try #require(reached).frameIndex <= crossing + 1)
    }
  }

  @Test("A smiling, nodding man gives no event", .needsCases)
  func smiling() throws {
    let recording = try export(Checkout.cases.appending(path: "real/man-smiling.gif").path())
    #expect(recording.events.map(\.event) == [.face(.found), .face(.lost)])
  }

  @Test("Of two people who tilt together one is followed, and begins one tilt, to the right", .needsCases)
  func twoPeople() throws {
    let recording = try export(Checkout.cases.appending(path: "real/two-people-tilt.gif").path())
    let begins = recording.events.filter { if case .tilt(.begin, _) = $0.event { true } else { false } }
    #expect(begins.map(\.event) == [.tilt(.begin, .right)])
    #expect(recording.frames.allSatisfy { $0.signals != nil })
  }

  @Test("Real people's traces: purses and tilts are found, talk makes few up, smiles none", .needsCases)
  func traces() throws {
    let traces = Checkout.cases.appending(path: "traces")
    let names = try FileManager.default.contentsOfDirectory(atPath: traces.path()).filter { $0.hasSuffix(".fplm") }
    var tallies: [String: [Gesture: Tally]] = [:]
    for name in names {
      let truth = try Truth(
        json: Data(contentsOf: traces.appending(path: name.replacing(".fplm", with: ".truth.json"))))
      // A clip that joins others starts afresh at each cut: `evaluate` does that, `export` does not.
      guard truth.cuts == nil else { continue }
      let recording = try export(traces.appending(path: name).path())
      for gesture in Gesture.allCases {
        tallies[truth.role, default: [:]][gesture, default: Tally()] += Tally(
          gesture, events: recording.events, truth: truth)
      }
    }
    let real = ["talk", "smile", "other"].compactMap { tallies[$0] }
    let tilts = real.reduce(into: Tally()) { $0 += $1[.tilt]! }
    #expect(tilts.expected == 18 && tilts.found >= 17)
    let purses = real.reduce(into: Tally()) { $0 += $1[.purse]! }
    #expect(purses.found == purses.expected)
    let talk = try #require(tallies["talk"])
    #expect(Double(talk[.purse]!.falseEvents) <= 0.2 * talk[.purse]!.minutes)
    let scripted = try #require(tallies["scripted"]?[.purse])
    #expect(scripted.expected == 32 && scripted.found >= 30 && scripted.falseEvents == 0)
    #expect(Double(talk[.tilt]!.falseEvents) <= 0.6 * talk[.tilt]!.minutes)
    #expect(tallies["smile"]?[.purse]?.falseEvents == 0)
  }
}

@Suite("Held input")
struct LeaseTests {
  private let scratch = try! Scratch()
  /// A purse within a tilt to the right is held from 15.8 s on: both are when 15.95 s comes, at 1.95 s of these clips.
  private let from14 = "trim=start=14:end=20,setpts=PTS-STARTPTS"

  private func expectReleased(_ recording: Recording, after lastGood: Double, _ reason: ReleaseReason) throws {
    #expect(!recording.times(of: .tilt(.begin, .right)).isEmpty)
    #expect(recording.jumps.first == 1)
    for event: InputEvent in [.tilt(.end, .right), .purse(.end, strength: nil), .horizontal(0), .release(reason)] {
      let ended = try #require(recording.times(of: event).first { $0 > lastGood }, "\(event)")
      #expect(ended - lastGood <= 0.2, "\(event)")
    }
  }

  @Test("Frames that turn black while tilting and pursing: all is released within 200 ms")
  func black() throws {
    let clip = try scratch.clip(
      "black.mp4", "-vf", from14 + ",drawbox=color=black:t=fill:enable='gte(t,1.95)'", "-t", "3")
    try Program.run(["export", clip, "-o", scratch.path("out.jsonl")])
    let recording = try Recording(path: scratch.path("out.jsonl"))
    let lastGood = try #require(recording.frames.last { $0.signals != nil })
    try expectReleased(recording, after: Double(lastGood.timestamp) / 1e9, .faceLost)
  }

  @Test("A source that stops delivering while tilting and pursing: all is released within 200 ms, live")
  func stalled() throws {
    // From 1.95 s to 4 s there is no frame at all.
    let clip = try scratch.clip("gap.mp4", "-vf", from14 + ",select='not(between(t,1.95,4))'")
    let outcome = try Program.run(["track", clip, "--stream"])
    #expect(outcome.status == 0)
    let recording = try Recording(text: outcome.output)
    let lastGood = try #require(recording.frames.last { $0.timestamp < 2_500_000_000 })
    try expectReleased(recording, after: Double(lastGood.timestamp) / 1e9, .stalled)
    #expect(recording.times(of: .face(.found)).count >= 2, "it goes on when frames come again")
  }
}
