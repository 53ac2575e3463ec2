// What is computed of a player: tilt, purse, and when a profile is refused.
import Fixtures
import Gestures
import Testing

@testable import Calibration

@Suite("Tilt calibration")
struct TiltCalibrationTests {
  @Test("The extent is the level held: a single frame of 60° and the way there do not count")
  func extent() {
    let held = [Double](repeating: 0, count: 20) + (1...10).map(Double.init) + [Double](repeating: 10, count: 60)
    #expect(TiltCalibration.extent(held + [60]) == 10)
    #expect(TiltCalibration.extent(held.map { -$0 }) == 0)
    #expect(TiltCalibration.extent([]) == 0)
  }

  @Test("Noise is the RMS of a normal one, whatever a glitch says")
  func noise() {
    var generator = SeededRandom(seed: 3)
    let rolls = (0..<2000).map { _ in generator.normal(0.4) }
    #expect(abs(TiltCalibration.noise(rolls + [90, -90]) - 0.4) < 0.03)
  }

  private func takes(
    left: Double, right: Double, noise: Double = 0.1, talk: Double = 0, pursed: Double = 0
  ) -> [MeasuredTake] {
    var generator = SeededRandom(seed: 1)
    func take(_ activity: Activity, _ roll: Double) -> MeasuredTake {
      var take = MeasuredTake(activity: activity)
      take.frames = (0..<100).map { .at($0, roll: roll + generator.normal(noise)) }
      return take
    }
    return [
      take(.rest, 0), take(.tiltLeft, -left), take(.tiltRight, right), take(.purse, pursed), take(.talk, talk),
    ]
  }

  @Test(
    "Each side has its own dead zone and full speed, within its reach and clear of the noise",
    arguments: [(5.0, 5.0), (5, 40), (22, 30), (45, 45)])
  func sides(left: Double, right: Double) throws {
    let settings = try TiltCalibration(takes(left: left, right: right), base: TiltSettings()).settings
    for (side, extent) in [(settings.left, left), (settings.right, right)] {
      #expect(abs(side.extent - extent) < 0.2)
      #expect(side.full <= 0.75 * side.extent + 1e-9 && side.full <= 30)
      #expect(side.begin >= max(1, 4 * settings.noise) && side.begin <= 11 && side.end < side.begin)
      #expect(side.begin <= 0.6 * side.full + 1e-9)
    }
  }

  @Test("A head that sways in talk, or rolls with each purse, gets a wider dead zone")
  func sway() throws {
    let still = try TiltCalibration(takes(left: 20, right: 20), base: TiltSettings())
    let swaying = try TiltCalibration(takes(left: 20, right: 20, talk: 8.3), base: TiltSettings())
    #expect(swaying.settings.right.begin > still.settings.right.begin + 0.5)
    #expect(swaying.settings.left.begin == still.settings.left.begin)
    let far = try TiltCalibration(takes(left: 20, right: 20, talk: 15), base: TiltSettings())
    #expect(far.talkTilts && !still.talkTilts)
    let pursing = try TiltCalibration(takes(left: 20, right: 20, pursed: 8), base: TiltSettings())
    #expect(pursing.settings.right.begin > 8 && pursing.purseRoll != nil && still.purseRoll == nil)
  }

  @Test("What cannot work is refused by name: no tilt, a tilt lost in trembling, a purse that tilts as far")
  func refusals() {
    #expect(throws: CalibrationRefusal.noTilt(.right)) {
      try TiltCalibration(takes(left: 20, right: 2), base: TiltSettings())
    }
    #expect {
      try TiltCalibration(takes(left: 5, right: 20, noise: 1), base: TiltSettings())
    } throws: {
      if case .tremble(.left, _, _)? = $0 as? CalibrationRefusal { true } else { false }
    }
    #expect {
      try TiltCalibration(takes(left: 20, right: 10, pursed: 6), base: TiltSettings())
    } throws: {
      if case .purseTilts(.right, _, _)? = $0 as? CalibrationRefusal { true } else { false }
    }
  }
}

@Suite("Purse calibration")
struct PurseCalibrationTests {
  /// Log-odds of lips at rest, of three purses (and of those tilted), and of talk's peaks, one a second.
  private func calibrate(
    rest: Double = -4, purses: [Double] = [3.4, 4, 3.7], tilted: [Double] = [], talk: [Double] = []
  ) throws -> PurseCalibration {
    func take(_ activity: Activity, _ peaks: [Double], every seconds: Double) -> MeasuredTake {
      var take = MeasuredTake(activity: activity)
      let perPeak = Int(seconds * 30)
      take.frames = (0..<max(perPeak * peaks.count, 90)).map { frame in
        let isPeak = frame % perPeak >= perPeak / 2 && frame / perPeak < peaks.count
        return .at(frame, purse: logistic(isPeak ? peaks[frame / perPeak] : rest))
      }
      return take
    }
    return try PurseCalibration(
      [
        take(.rest, [], every: 1), take(.purse, purses, every: 1.5), take(.tiltLeftAndPurse, tilted, every: 1.5),
        take(.talk, talk, every: 1),
      ].filter { $0.activity != .talk || !talk.isEmpty }, base: PurseSettings())
  }

  private static let population = logOdds(PurseSettings().begin)
  private static let quietTalk = [Double](repeating: -3, count: 10)

  @Test("Where the player's talk and purses leave the population's onset between them, it stays")
  func between() throws {
    let found = try calibrate(talk: Self.quietTalk)
    #expect(abs(found.settings.begin - PurseSettings().begin) < 1e-9)
    #expect(found.separability == .clear && found.count == 3 && found.talkSeconds == 10)
  }

  @Test("Weak purses lower the onset, as far as they need")
  func weak() throws {
    let found = try calibrate(purses: [0.4, 0.8, 0.6], talk: Self.quietTalk)
    #expect(logOdds(found.settings.begin) < 0.4 && logOdds(found.settings.begin) > -3)
    #expect(found.miss < 0.12 && found.missAtMost > found.miss)
  }

  @Test("Loud talk raises it")
  func talk() throws {
    let found = try calibrate(purses: [6, 6.4, 6.2], talk: [1, 2, 1.5, 2.2, 1.1, 0.9, 2, 1.4, 1.8, 1.2])
    #expect(logOdds(found.settings.begin) > Self.population)
  }

  @Test("Without talk other people's is taken, and that is said")
  func noTalk() throws {
    #expect(try calibrate().talkSeconds == 0)
    #expect(try calibrate(purses: [0, 0.4, 0.2]).separability != .clear)
  }

  @Test("What a tilt takes off a purse lowers the onset too; the release stays above lips at rest while held")
  func coupling() throws {
    let upright = try calibrate(rest: -1.2, purses: [3, 3.2, 3.1], talk: Self.quietTalk)
    let tilted = try calibrate(rest: -1.2, purses: [3, 3.2, 3.1], tilted: [1.6, 1.8], talk: Self.quietTalk)
    #expect(tilted.settings.begin < upright.settings.begin)
    #expect(abs(try #require(tilted.coupling) + 1.4) < 1e-9)
    for found in [upright, tilted] {
      #expect(logOdds(found.settings.end) > -1.2 - PurseSettings.lossWhileHeld)
      #expect(logOdds(found.settings.begin) - logOdds(found.settings.end) > PurseSettings.lossWhileHeld)
    }
  }

  @Test("More purses, more certainty: the worst case comes nearer")
  func certainty() throws {
    let few = try calibrate(purses: [0.4, 0.8, 0.6], talk: Self.quietTalk)
    let many = try calibrate(purses: [0.4, 0.8, 0.6, 0.5, 0.7, 0.4, 0.8, 0.6, 0.5], talk: Self.quietTalk)
    #expect(many.missAtMost - many.miss < few.missAtMost - few.miss)
  }

  @Test("No purse, a purse like rest and a purse like talk are refused by name")
  func refusals() {
    #expect(throws: CalibrationRefusal.noPurse) { try calibrate(purses: [-4, -4, -4]) }
    #expect(throws: CalibrationRefusal.purseLikeRest) {
      try calibrate(purses: [-3.3, -3.2, -3.3], talk: [Double](repeating: -9, count: 10))
    }
    #expect {
      try calibrate(purses: [0.4, 0.8, 0.6], talk: [0.5, 0.9, 0.2, 0.7, 1, 0.4, 0.6, 0.1, 0.8, 0.3])
    } throws: {
      if case .purseLikeTalk? = $0 as? CalibrationRefusal { true } else { false }
    }
  }

  @Test("Still lips hold the weakest purse, however near the lips at rest are")
  func hold() throws {
    let found = try calibrate(rest: -0.4, purses: [1.2, 1.4, 1.3], talk: Self.quietTalk)
    #expect(logOdds(found.settings.begin) - logOdds(found.settings.end) > PurseSettings.lossWhileHeld)
  }

  @Test("A purse that slips into the rest does not raise what counts as quiet")
  func slip() {
    var rest = MeasuredTake(activity: .rest)
    rest.frames = (0..<120).map { .at($0, purse: logistic($0 >= 60 && $0 < 75 ? 4 : $0 % 2 == 0 ? -4 : -3.9)) }
    #expect(PurseCalibration.quiet([rest]) < -3)
  }
}

@Suite("Purse track")
struct PurseTrackTests {
  @Test("A purse's strength is what it holds for two frames; a dip of a frame does not cut it in two")
  func strengths() {
    let values = [-4.0, -4, 2, 3, 9, 3, -4, 3, 2, -4, -4, -4, -4, -4, -4, -4, 4, 4, -4, -4]
    let track = PurseTrack(values.enumerated().map { (Double($0) / 30, logistic($1)) })
    #expect(track.purses(above: -3).map { ($0 * 10).rounded() / 10 } == [3, 4])
  }

  @Test("Twitches far weaker than the strongest are none")
  func twitches() {
    let values = [-4.0, -4, -2.5, -2.5, -4, -4, -4, -4, -4, -4, -4, 4, 4, -4]
    let track = PurseTrack(values.enumerated().map { (Double($0) / 30, logistic($1)) })
    #expect(track.purses(above: -3).count == 1)
  }

  @Test("Scores of 0 and 1 are as sure as can be, not infinite")
  func limits() {
    #expect(logOdds(0) == -10 && logOdds(1) == 10 && abs(logistic(logOdds(0.7)) - 0.7) < 1e-12)
  }
}

extension MeasuredTake.Frame {
  fileprivate static func at(_ frame: Int, roll: Double = 0, purse: Double = 0.02) -> MeasuredTake.Frame {
    MeasuredTake.Frame(
      time: Double(frame) / 30,
      signals: GestureState.Signals(
        confidence: 1, roll: roll, yaw: 0, pitch: 0, purse: purse, jawOpen: 0, rawRoll: roll, rawPurse: purse),
      mouthWidth: 1.2)
  }
}
