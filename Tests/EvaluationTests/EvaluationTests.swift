// Events against a truth, and the intervals around small counts.
import Foundation
import Gestures
import Testing

@testable import Evaluation

@Suite("Tally")
struct TallyTests {
  /// A minute of talk with nothing in it but what `json` sets.
  private func truth(_ json: String) throws -> Truth {
    let empty = ["tilts", "purses", "ignoreTilts", "ignorePurses"].filter { !json.contains("\"\($0)\"") }
    let fields = ["\"duration\":60", "\"role\":\"talk\"", json] + empty.map { "\"\($0)\":[]" }
    return try Truth(json: Data("{\(fields.joined(separator: ","))}".utf8))
  }

  private func purses(_ times: Double...) -> [TimedEvent] {
    times.flatMap { [event($0, .purse(.begin, strength: 0.8)), event($0 + 0.05, .purse(.end, strength: nil))] }
  }

  private func event(_ seconds: Double, _ event: InputEvent) -> TimedEvent {
    TimedEvent(frameIndex: 0, timestamp: Int64(seconds * 1e9), event: event)
  }

  private let twoPurses = #""purses":[{"start":1,"end":1.4},{"start":1.52,"end":1.9}]"#

  @Test("Each purse counts once, nearest first, and a second begin in it is false")
  func matching() throws {
    let tally = Tally(.purse, events: purses(1.1, 1.3, 1.6), truth: try truth(twoPurses))
    #expect((tally.expected, tally.found, tally.falseEvents) == (2, 2, 1))
    #expect(tally.falseTimes == [1.3])
  }

  @Test("What lies in a part that was learnt from is not judged: neither found, missed nor false, and its time is none")
  func outside() throws {
    let rest = try truth(twoPurses).outside(0...1.6)
    let tally = Tally(.purse, events: purses(0.5, 1.1, 1.85, 30), truth: rest)
    #expect((tally.expected, tally.found, tally.falseTimes) == (0, 0, [30]))
    #expect(abs(tally.minutes - (60 - 1.9) / 60) < 1e-9)
    let later = Tally(.purse, events: purses(1.1, 1.6), truth: try truth(twoPurses).outside(5...6))
    #expect((later.expected, later.found, later.falseEvents) == (2, 2, 0))
  }

  @Test("A purse that never began is missed, one out of nothing is false")
  func missed() throws {
    let tally = Tally(.purse, events: purses(1.1, 30), truth: try truth(twoPurses))
    #expect((tally.found, tally.falseEvents) == (1, 1))
    #expect(tally.missedTimes == [1.52])
  }

  @Test("Ignored intervals count neither way, and their time is not judged")
  func ignored() throws {
    let truth = try truth(#""ignorePurses":[[10,40],[30,100]]"#)
    let tally = Tally(.purse, events: purses(20, 35), truth: truth)
    #expect(tally.falseEvents == 0)
    #expect(abs(tally.minutes - 10.0 / 60) < 1e-9)
  }

  @Test("A tilt to the wrong side is both missed and false")
  func wrongSide() throws {
    let truth = try truth(#""tilts":[{"start":1,"end":2,"direction":"left","peak":20}]"#)
    let tally = Tally(
      .tilt, events: [event(1.2, .tilt(.begin, .right)), event(2, .tilt(.end, .right))], truth: truth)
    #expect((tally.found, tally.falseEvents) == (0, 1))
  }

  @Test("Two tilts to one side with no return between are found by one held tilt")
  func heldTilt() throws {
    let truth = try truth(
      #""tilts":[{"start":1,"end":2,"direction":"left"},{"start":2.1,"end":3,"direction":"left"}]"#)
    let tally = Tally(.tilt, events: [event(1.2, .tilt(.begin, .left)), event(3, .tilt(.end, .left))], truth: truth)
    #expect((tally.found, tally.falseEvents) == (2, 0))
    #expect(tally.delays.count == 1)
  }

  @Test("Delays run from where the script crosses 0.5 or 12°")
  func delays() throws {
    let truth = try truth(
      #""fps":10,"purse":[0,0,0.4,0.6,1,1],"roll":[0,0,-8,-13,-20,-20],"purses":[{"start":0.1,"end":0.5}],"#
        + #""tilts":[{"start":0.1,"end":0.5,"direction":"left"}]"#)
    let purse = Tally(.purse, events: purses(0.4), truth: truth)
    #expect(abs(try #require(purse.delays.first) - 0.1) < 1e-9)
    let tilt = Tally(.tilt, events: [event(0.3, .tilt(.begin, .left))], truth: truth)
    #expect(abs(try #require(tilt.delays.first)) < 1e-9)
  }

  @Test(
    "A truth with senseless numbers is judged without a crash",
    arguments: [
      #""tilts":[{"start":9,"end":5,"direction":"left"}]"#,
      #""fps":30,"roll":[0,0,0],"tilts":[{"start":9,"end":10,"direction":"left"}]"#,
      #""fps":1e300,"roll":[0,9],"tilts":[{"start":1e300,"end":5,"direction":"left"}]"#,
    ])
  func senseless(json: String) throws {
    let events = [event(1, .tilt(.begin, .left)), event(2, .tilt(.end, .left))]
    let tally = Tally(.tilt, events: events, truth: try truth(json))
    #expect((tally.expected, tally.found) == (1, 0))
  }

  @Test("Tallies add up")
  func sum() throws {
    var total = Tally()
    total += Tally(.purse, events: purses(1.1), truth: try truth(twoPurses))
    total += Tally(.purse, events: purses(5), truth: try truth(twoPurses))
    #expect((total.expected, total.found, total.falseEvents) == (4, 1, 1))
    #expect(total.minutes == 2)
  }

  @Test("A truth that is not one is refused")
  func broken() {
    #expect(throws: DecodingError.self) { try Truth(json: Data("{}".utf8)) }
  }
}

@Suite("Roll accuracy")
struct RollAccuracyTests {
  private let truth = try! Truth(json: Data(#"{"role":"roll","roll":[0,10,20,30]}"#.utf8))

  @Test("A constant offset is the player's posture, not an error")
  func offset() throws {
    let accuracy = try #require(RollAccuracy(measured: [0: 3, 1: 13, 2: 23, 3: 33], truth: truth))
    #expect((accuracy.frames, accuracy.meanError, accuracy.greatestError) == (4, 0, 0))
  }

  @Test("Errors are absolute, over the frames that both have")
  func errors() throws {
    let accuracy = try #require(RollAccuracy(measured: [0: 0, 1: 10, 2: 23, 9: 0], truth: truth))
    #expect(accuracy.frames == 3)
    #expect(accuracy.meanError == 1)
    #expect(accuracy.greatestError == 3)
  }

  @Test("Without a script or without frames there is nothing to compare")
  func nothing() throws {
    #expect(RollAccuracy(measured: [:], truth: truth) == nil)
    #expect(RollAccuracy(measured: [0: 1], truth: try Truth(json: Data(#"{"role":"talk"}"#.utf8))) == nil)
  }
}

@Suite("95 % intervals")
struct ConfidenceTests {
  @Test(
    "Wilson's interval has its published values",
    arguments: [(13, 13, 0.7719, 1.0), (0, 10, 0, 0.2775), (7, 10, 0.3968, 0.8922)])
  func wilson(successes: Int, trials: Int, lower: Double, upper: Double) {
    let interval = Confidence.share(successes, of: trials)
    #expect(abs(interval.lowerBound - lower) < 1e-3)
    #expect(abs(interval.upperBound - upper) < 1e-3)
  }

  @Test(
    "The Poisson interval has its tabled values",
    arguments: [(0, 0, 3.689), (1, 0.0253, 5.572), (5, 1.623, 11.668), (20, 12.217, 30.888)])
  func garwood(count: Int, lower: Double, upper: Double) {
    let interval = Confidence.rate(count, per: 1)
    #expect(abs(interval.lowerBound - lower) < 1e-3)
    #expect(abs(interval.upperBound - upper) < 1e-3)
  }

  @Test("Nothing observed tells nothing")
  func nothing() {
    #expect(Confidence.share(0, of: 0) == 0...1)
    #expect(Confidence.rate(0, per: 0).upperBound == .infinity)
  }
}
