// A player's tilt: how far each side goes in comfort, and how much of it is dead zone.
import Gestures

/// What was found of the tilt, and the settings that follow.
///
/// Per side, with r the filtered roll from the neutral, towards that side, in degrees:
/// - extent = the median of r over the frames above half its 95th percentile: the level held, whatever the way there,
///   not an outlier's peak.
/// - noise = half the spread of r at rest from the 16th to the 84th percentile: the RMS of normal noise.
/// - full = 0.75 · extent, at most 30: reached with a quarter to spare.
/// - begin = the least that is clear of rest (4 · noise, at least 1) and of the roll of a purse (its 90th percentile + 2 ·
///   noise); raised to the sway of talk (its 95th percentile; the population's 11 where no talk was recorded) or to 0.5 ·
///   full, whichever is more, but by neither beyond 11, nor 0.6 · full, so that there is something left to steer with.
/// - end = begin · 7.5 / 11, the population's proportion.
public struct TiltCalibration: Sendable, Equatable {
  public struct Constants {
    /// Degrees; a smaller tilt cannot be told from posture (of a landmarker that is 0.3° off on average).
    public static let leastExtent = 3.0
    /// Of the extent, for full speed: what is comfortable once should be comfortable a thousand times.
    static let fullShare = 0.75
    /// Degrees; steering beyond it buys nothing.
    static let greatestFull = 30.0
    /// Of full speed's angle, for the dead zone: as the population's 11 of 22.
    static let beginShare = 0.5
    static let greatestBeginShare = 0.6
    /// In noise RMS, as the profile's own rule has it.
    static let noiseFactor = 4.0
    static let leastBegin = 1.0
  }

  public let settings: TiltSettings
  /// Degrees by which pursing rolls the head, where that moved a dead zone's edge; else `nil`.
  public let purseRoll: Double?
  /// Whether talk sways the head beyond a dead zone.
  public let talkTilts: Bool

  init(_ takes: [MeasuredTake], base: TiltSettings) throws(CalibrationRefusal) {
    var settings = base
    let rest = takes.filter { $0.activity == .rest }.flatMap(\.rolls)
    if !rest.isEmpty { settings.noise = Self.noise(rest) }
    var purseRoll = 0.0
    var talkTilts = false
    for side in Direction.allCases {
      let tilted = takes.filter { $0.activity == (side == .left ? .tiltLeft : .tiltRight) }
      guard !tilted.isEmpty else { continue }
      let extent = Self.extent(tilted.flatMap { $0.rolls(towards: side) })
      guard extent >= Constants.leastExtent else { throw .noTilt(side) }
      let pursed = Self.sway(0.9, takes.filter { $0.activity == .purse }, towards: side)
      let talk = takes.filter { $0.activity == .talk }
      let talked = talk.isEmpty ? TiltSettings.Side().begin : Self.sway(0.95, talk, towards: side)
      let found = try Self.settings(
        side, extent: min(extent, 90), noise: settings.noise, purseRoll: pursed, talkRoll: talked)
      if found.begin == pursed + 2 * settings.noise { purseRoll = max(purseRoll, pursed) }
      talkTilts = talkTilts || !talk.isEmpty && talked > found.begin
      if side == .left { settings.left = found } else { settings.right = found }
    }
    self.settings = settings
    self.purseRoll = purseRoll > 0 ? purseRoll : nil
    self.talkTilts = talkTilts
  }

  /// Degrees towards a side held there: see above.
  static func extent(_ rolls: [Double]) -> Double {
    guard !rolls.isEmpty else { return 0 }
    let half = quantile(0.95, of: rolls) / 2
    let held = rolls.filter { $0 >= half }
    return half > 0 ? quantile(0.5, of: held) : 0
  }

  static func noise(_ rolls: [Double]) -> Double { (quantile(0.84, of: rolls) - quantile(0.16, of: rolls)) / 2 }

  private static func sway(_ share: Double, _ takes: [MeasuredTake], towards side: Direction) -> Double {
    let rolls = takes.flatMap { $0.rolls(towards: side) }
    return rolls.isEmpty ? 0 : max(quantile(share, of: rolls), 0)
  }

  private static func settings(
    _ direction: Direction, extent: Double, noise: Double, purseRoll: Double, talkRoll: Double
  ) throws(CalibrationRefusal) -> TiltSettings.Side {
    let population = TiltSettings.Side()
    var side = TiltSettings.Side()
    side.extent = extent
    side.full = min(Constants.fullShare * extent, Constants.greatestFull)
    let most = Constants.greatestBeginShare * side.full
    let clearOfRest = max(Constants.noiseFactor * noise, Constants.leastBegin)
    guard clearOfRest <= most else { throw .tremble(direction, extent: extent, noise: noise) }
    let clearOfPurse = purseRoll > noise ? purseRoll + 2 * noise : 0
    guard clearOfPurse <= most else { throw .purseTilts(direction, extent: extent, roll: purseRoll) }
    let wished = min(max(talkRoll, Constants.beginShare * side.full), population.begin, most)
    side.begin = max(clearOfRest, clearOfPurse, wished)
    side.end = side.begin * population.end / population.begin
    return side
  }
}
