// A player's purse: the thresholds between their own talking and pursing, and what to expect of them.
import Gestures

/// What was found of the purse, and the settings that follow. All in log-odds of the gated score.
///
/// - A purse's strength is the greatest threshold at which it would still have begun; talk is taken by its greatest
///   sustained log-odds in each second. `Prediction` says what the next of each will be.
/// - quiet = the 98th percentile of the sustained log-odds at rest, tilted or smiling, the greatest of these, + 0.5: no
///   threshold may be lower. Tilted without a purse, this is what a tilt does to the purse score. At rest it is no more
///   than the median + 2.05 · (median − 16th percentile), the normal's 98th percentile as the lower half has it: a purse
///   that slipped in does not count.
/// - floor = the mean strength − 2 deviations, lowered by what a tilt takes off it: coupling = min(0, mean strength
///   tilted − mean strength upright).
/// - ceiling = talk's mean + 2 deviations, at least `quiet`.
/// - onset: the population's, moved no further than into ceiling…floor. Where these overlap: as many deviations below
///   the purses as above talk, at least `quiet`.
/// - release: below the onset by the population's distance, but above the lips at rest (95th percentile + 0.25).
public struct PurseCalibration: Sendable, Equatable {
  public struct Constants {
    /// The population's purses: one person's strengths differ by 0.6 RMS (10 purses of one person, 8 each of 3 scripted
    /// clips), taken as 0.8; means differ too much between people to count.
    static let purses = Prediction.Population(mean: 0, standardDeviation: 0.8, meanWeight: 0, varianceWeight: 4)
    /// The population's talk: each second's peak varies by 2.2 RMS within a person, and people's means by 1.8 (359 s of
    /// 21 people), so that a new person's mean counts as 2 seconds are known of it; the population's onset is 2
    /// deviations above (1.2 such seconds a minute).
    static let talk = Prediction.Population(
      mean: logOdds(PurseSettings().begin) - 2 * 2.2 * 1.5.squareRoot(), standardDeviation: 2.2, meanWeight: 2,
      varianceWeight: 4)
    /// Of the seconds of talk that pass the onset, how many become purses: the hold after speech stops the others
    /// (0.34 false purses a minute of 1.17 such seconds).
    static let passesHold = 0.3
    static let deviations = 2.0
    static let quietShare = 0.98
    /// The normal's for `quietShare`.
    static let quietDeviations = 2.05
    static let quietMargin = 0.5
    static let releaseMargin = 0.25
    /// Beyond these nobody could play.
    static let greatestMiss = 0.25
    static let greatestFalseRate = 6.0
    /// Up to these the purse is clear, or fair.
    static let clear = (miss: 0.05, falseRate: 0.5)
    static let fair = (miss: 0.12, falseRate: 1.5)
  }

  /// How well purses can be told from talk.
  public enum Separability: Sendable, Equatable {
    case clear, fair, poor
  }

  public let settings: PurseSettings
  /// How many purses it is found from.
  public let count: Int
  /// Seconds of talk it is found from; 0: other people's was taken.
  public let talkSeconds: Int
  /// Log-odds added to a purse by a tilt; `nil` when not measured.
  public let coupling: Double?
  /// The share of purses expected to be missed, 0…1.
  public let miss: Double
  /// The same if this player's purses are weaker than these few by 1.3 standard errors: the worst of ten such players.
  public let missAtMost: Double
  /// False purses expected in a minute of talk.
  public let falsePerMinute: Double

  public var separability: Separability {
    if miss <= Constants.clear.miss && falsePerMinute <= Constants.clear.falseRate { return .clear }
    if miss <= Constants.fair.miss && falsePerMinute <= Constants.fair.falseRate { return .fair }
    return .poor
  }

  init(_ takes: [MeasuredTake], base: PurseSettings) throws(CalibrationRefusal) {
    let quiet = Self.quiet(takes)
    let upright = Self.strengths(takes, above: quiet) { $0 == .purse }
    let tilted = Self.strengths(takes, above: quiet) { $0.hasPurses && $0 != .purse }
    guard !upright.isEmpty else { throw Self.hasPurseAboveRest(takes) ? .purseLikeRest : .noPurse }
    let purses = Prediction(upright, Constants.purses)
    let talkPeaks = takes.filter { $0.activity == .talk }.flatMap(\.purses.peaksBySecond)
    let talk = Prediction(talkPeaks, Constants.talk)
    let coupling = tilted.isEmpty ? nil : tilted.reduce(0, +) / Double(tilted.count) - purses.mean
    let shift = min(coupling ?? 0, 0)

    let onset = Self.onset(purses: purses, shift: shift, talk: talk, quiet: quiet)
    miss = purses.share(below: onset, shift: shift)
    missAtMost = purses.share(below: onset, shift: shift - 1.3 * purses.standardError)
    falsePerMinute = 60 * (1 - talk.share(below: onset)) * Constants.passesHold
    guard miss <= Constants.greatestMiss else {
      throw onset > quiet ? .purseLikeTalk(miss: miss, falsePerMinute: falsePerMinute) : .purseLikeRest
    }
    guard falsePerMinute <= Constants.greatestFalseRate else {
      throw .purseLikeTalk(miss: miss, falsePerMinute: falsePerMinute)
    }
    settings = Self.settings(onset: onset, rest: Self.restingLevel(takes), base: base)
    count = upright.count + tilted.count
    talkSeconds = talkPeaks.count
    self.coupling = coupling
  }

  /// The most that lips reach which are not pursed, with the margin; the population's onset where nothing was recorded.
  static func quiet(_ takes: [MeasuredTake]) -> Double {
    let levels = takes.filter { !$0.activity.hasPurses && $0.activity != .talk }.compactMap { take -> Double? in
      let sustained = take.purses.sustained.map(\.logOdds)
      guard !sustained.isEmpty else { return nil }
      let level = quantile(Constants.quietShare, of: sustained)
      guard take.activity == .rest else { return level }
      let median = quantile(0.5, of: sustained)
      return min(level, median + Constants.quietDeviations * (median - quantile(0.16, of: sustained)))
    }
    return levels.max().map { $0 + Constants.quietMargin } ?? logOdds(PurseSettings().begin)
  }

  private static func strengths(
    _ takes: [MeasuredTake], above quiet: Double, of wanted: (Activity) -> Bool
  ) -> [Double] {
    takes.filter { wanted($0.activity) }.flatMap { $0.purses.purses(above: quiet) }
  }

  private static func hasPurseAboveRest(_ takes: [MeasuredTake]) -> Bool {
    let quiet = quiet(takes.filter { $0.activity == .rest })
    return !strengths(takes, above: quiet) { $0 == .purse }.isEmpty
  }

  private static func onset(purses: Prediction, shift: Double, talk: Prediction, quiet: Double) -> Double {
    let strength = purses.mean + shift
    let floor = strength - Constants.deviations * purses.standardDeviation
    let ceiling = max(talk.mean + Constants.deviations * talk.standardDeviation, quiet)
    guard ceiling > floor else { return min(max(logOdds(PurseSettings().begin), ceiling), floor) }
    let between =
      (strength * talk.standardDeviation + talk.mean * purses.standardDeviation)
      / (talk.standardDeviation + purses.standardDeviation)
    return max(between, quiet)
  }

  private static func restingLevel(_ takes: [MeasuredTake]) -> Double? {
    let resting = takes.filter { $0.activity == .rest }.flatMap { $0.purses.sustained.map(\.logOdds) }
    return resting.isEmpty ? nil : quantile(0.95, of: resting)
  }

  private static func settings(onset: Double, rest: Double?, base: PurseSettings) -> PurseSettings {
    let population = PurseSettings()
    let distance = logOdds(population.begin) - logOdds(population.end)
    let release = max(onset - distance, rest.map { $0 + Constants.releaseMargin } ?? -.infinity)
    var settings = base
    settings.begin = logistic(onset)
    settings.end = logistic(min(release, onset - Constants.releaseMargin))
    return settings
  }
}
