// Purse onset, release and holds.
import FaceGeometry
import Testing

@testable import Gestures

@Suite("Purse")
struct PurseRecognizerTests {
  private let frame: Int64 = 33_333_333

  private func score(_ value: Double, uncredited: Double? = nil, lipsAreClosed: Bool = true) -> PurseScore {
    PurseScore(shape: value, gated: value, uncredited: uncredited ?? value, lipsAreClosed: lipsAreClosed)
  }

  /// Scores at 30 fps, and the frames at which a purse begins.
  static let table: [(String, [Double], [Int])] = [
    ("one frame above the onset is noise", [0.1, 0.85, 0.1], []),
    ("two frames are a purse", [0.1, 0.85, 0.85, 0.1], [2]),
    ("a clear score needs no second frame", [0.1, 0.95], [1]),
    ("a held purse begins once", [0.95, 0.95, 0.95, 0.95, 0.95], [0]),
    ("noise around the onset does not begin it twice", [0.85, 0.85, 0.7, 0.85, 0.85], [1]),
    ("only below the release may it begin again", [0.95, 0.3, 0.95, 0.5, 0.95], [0, 2]),
  ]

  @Test("Onsets", arguments: table.indices)
  func onsets(row: Int) {
    var purse = PurseRecognizer(settings: PurseSettings())
    var begins: [Int] = []
    for (index, value) in Self.table[row].1.enumerated() {
      let change = purse.update(score: score(value), recentGap: 0, at: Int64(index) * frame)
      if case .began = change { begins.append(index) }
    }
    #expect(begins == Self.table[row].2, "\(Self.table[row].0)")
  }

  @Test("After speech the hold is longer, and never above a quarter of a second")
  func speech() {
    func framesToOnset(_ recentGap: Double) -> Int? {
      var purse = PurseRecognizer(settings: PurseSettings())
      return (0..<20).first {
        purse.update(score: score(0.85), recentGap: recentGap, at: Int64($0) * frame) != nil
      }
    }
    #expect(framesToOnset(0) == 1)
    #expect(framesToOnset(0.05) == 6)
    #expect(framesToOnset(3) == 8)
  }

  @Test("The profile's hold is the shortest there is, and speech adds to it", arguments: [0.0, 0.1, 0.5])
  func ownHold(seconds: Double) throws {
    var settings = PurseSettings()
    settings.hold = seconds
    func framesToOnset(_ recentGap: Double) -> Int? {
      var purse = PurseRecognizer(settings: settings)
      return (0..<20).first { purse.update(score: score(0.85), recentGap: recentGap, at: Int64($0) * frame) != nil }
    }
    let atRest = try #require(framesToOnset(0))
    #expect(Double(Int64(atRest) * frame) >= seconds * 1e9)
    #expect(Double(Int64(atRest - 1) * frame) < seconds * 1e9)
    #expect(try #require(framesToOnset(0.05)) >= atRest)
  }

  @Test("A score that only the credit of a quiet mouth lifts must last four frames, clear or not")
  func credited() {
    for value in [0.85, 0.99] {
      var purse = PurseRecognizer(settings: PurseSettings())
      let begin = (0..<20).first {
        purse.update(score: score(value, uncredited: 0.5), recentGap: 0, at: Int64($0) * frame) != nil
      }
      #expect(begin == 4)
    }
  }

  @Test("Parted lips begin no purse, and end none")
  func parted() {
    var purse = PurseRecognizer(settings: PurseSettings())
    for index in 0..<20 {
      #expect(
        purse.update(score: score(0.95, lipsAreClosed: false), recentGap: 0, at: Int64(index) * frame) == nil)
    }
    #expect(purse.update(score: score(0.95), recentGap: 0, at: 20 * frame) == .began(strength: 0.95))
    #expect(purse.update(score: score(0.95, lipsAreClosed: false), recentGap: 0, at: 21 * frame) == nil)
    #expect(purse.isActive)
  }

  @Test("After a release the player did not make, the lips must relax before a purse begins")
  func release() {
    var purse = PurseRecognizer(settings: PurseSettings())
    #expect(purse.update(score: score(0.95), recentGap: 0, at: 0) == .began(strength: 0.95))
    let released = (purse.release(), purse.release())
    #expect(released == (true, false))
    #expect(purse.update(score: score(0.95), recentGap: 0, at: frame * 9) == nil)
    #expect(purse.update(score: score(0.1), recentGap: 0, at: frame * 10) == nil)
    #expect(purse.update(score: score(0.95), recentGap: 0, at: frame * 11) == .began(strength: 0.95))
  }
}

@Suite("Purse score")
struct PurseScoreTests {
  private func score(
    _ face: SyntheticShape, knowledge: Double = 1, speech: SpeechMemory = SpeechMemory()
  ) -> PurseScore {
    PurseScore(face.lips, neutral: .prior, knowledge: knowledge, speech: speech)
  }

  /// A mouth closed for this many seconds.
  private func quiet(_ seconds: Double) -> SpeechMemory {
    var memory = SpeechMemory()
    for time in [0, Int64(seconds * 1e9)] { memory.observe(innerGap: 0, at: time) }
    return memory
  }

  @Test("Lips at rest score near 0, narrow and thick lips near 1")
  func extremes() {
    #expect(score(SyntheticShape()).gated < 0.05)
    #expect(score(.pursed).gated > 0.95)
  }

  @Test("A purse as faint as the dark leaves it passes once the mouth has been quiet, and not before")
  func faint() {
    let begin = PurseSettings().begin
    #expect(score(.faint).gated < begin)
    #expect(score(.faint, speech: quiet(0.3)).gated < begin)
    #expect(score(.faint, speech: quiet(5)).gated > begin)
    #expect(score(.faint, speech: quiet(5)).uncredited == score(.faint).uncredited)
  }

  @Test("However quiet, lips at rest score below the release, clearly so after a purse")
  func quietRest() {
    #expect(score(SyntheticShape(), speech: quiet(60)).gated < PurseSettings().end)
    let afterPurse = PurseScore(
      SyntheticShape().lips, neutral: .prior, knowledge: 1, speech: quiet(60), isPursing: true)
    #expect(afterPurse.gated < 0.5 * PurseSettings().end)
  }

  @Test("While the neutral is a guess more is asked, and a quiet mouth earns no credit")
  func unknown() {
    let guess = score(.faint, knowledge: 0, speech: quiet(60))
    #expect(guess.gated < score(.faint).gated)
    #expect(guess.gated == guess.uncredited)
    #expect(guess.shape == score(.faint).shape)
  }

  @Test("An open mouth, however narrow, is no purse")
  func open() {
    var open = SyntheticShape.pursed
    (open.width, open.gap) = (0.5, 0.13)
    #expect(score(open).shape > 0.9)
    #expect(score(open).gated == 0)
  }

  @Test("A smile widens the mouth and scores lower than rest")
  func smile() {
    var smile = SyntheticShape()
    smile.width *= 1.25
    #expect(score(smile).gated < score(SyntheticShape()).gated)
  }

  @Test("Absurd measures stay finite")
  func absurd() {
    var broken = SyntheticShape()
    (broken.width, broken.upper, broken.gap) = (0, 1e12, 1e12)
    let value = score(broken)
    #expect(value.gated.isFinite && value.shape.isFinite)
  }

  struct SyntheticShape {
    var width = 1.22
    var upper = 0.07
    var gap = 0.0
    static var pursed: Self { Self(width: 0.8, upper: 0.1) }
    /// 87 % of the width at rest, as `demo-dark` shows.
    static var faint: Self { Self(width: 0.87 * 1.22, upper: 1.27 * 0.07) }
    var lips: LipShape {
      LipShape(
        widthOverNose: width, upperThickness: upper, lowerThickness: 0.11, innerGap: gap, middleDrop: 0.03,
        noseToLip: 0.15)
    }
  }
}

@Suite("Speech memory")
struct SpeechMemoryTests {
  @Test("The greatest gap fades with its time constant")
  func gapFades() {
    var memory = SpeechMemory()
    memory.observe(innerGap: 0.2, at: 0)
    #expect(memory.recentGap == 0.2)
    memory.observe(innerGap: 0, at: 500_000_000)
    #expect(abs(memory.recentGap - 0.2 / 2.718) < 0.001)
  }

  @Test("A moving mouth raises the averages, a still one lets them fall", arguments: [10, 30, 60])
  func motion(fps: Int) {
    var memory = SpeechMemory()
    let step = 1_000_000_000 / Int64(fps)
    func run(_ frames: Range<Int>, _ gap: (Int) -> Double) {
      for frame in frames { memory.observe(innerGap: gap(frame), at: Int64(frame) * step) }
    }
    run(0..<(2 * fps)) { $0 / max(fps / 10, 1) % 2 == 0 ? 0 : 0.1 }
    let moving = memory.gapSpeedShort
    #expect(moving > 0.3)
    run((2 * fps)..<(4 * fps)) { _ in 0 }
    #expect(memory.gapSpeedShort < 0.05 * moving)
    #expect(memory.gapSpeedLong < 0.4 * moving)
  }

  @Test("A mouth grows quiet while the lips are closed; parted, they are talk at once")
  func quiet() {
    var memory = SpeechMemory()
    memory.observe(innerGap: 0.01, at: 0)
    #expect(memory.quiet == 0)
    memory.observe(innerGap: 0.01, at: 1_500_000_000)
    #expect(abs(memory.quiet - (1 - 1 / 2.718)) < 0.001)
    memory.observe(innerGap: 0.01, at: 15_000_000_000)
    #expect(memory.quiet > 0.99)
    memory.observe(innerGap: 0.05, at: 15_033_000_000)
    #expect(memory.quiet == 0)
  }

  @Test("Lips that part in a purse are no talk")
  func partedInPurse() {
    var memory = SpeechMemory()
    memory.observe(innerGap: 0, at: 0)
    memory.observe(innerGap: 0.05, isPursing: true, at: 5_000_000_000)
    #expect(memory.quiet > 0.9)
  }

  @Test("Times that do not advance change nothing but the greatest gap")
  func sameTime() {
    var memory = SpeechMemory()
    memory.observe(innerGap: 0, at: 5)
    memory.observe(innerGap: 0.3, at: 5)
    #expect(memory.recentGap == 0.3)
    #expect(memory.gapSpeedShort == 0)
  }
}
