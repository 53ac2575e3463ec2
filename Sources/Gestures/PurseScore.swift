// How purse-like the lips are, against the player's own neutral.
import FaceGeometry
import Glibc

/// A logistic score over lip shape and speech memory: the probability that the lips are pursed on purpose.
///
/// Fitted on 13 purses and 5.9 minutes of talk of real people, cross-validated by clip (recall 13 of 13; 2 false purses
/// in talk). Narrow and thick lips raise it; an open mouth, recent opening and moving lips lower it.
struct PurseScore: Sendable {
  struct Weights {
    static let bias = -3.512
    static let widthRatio = -17.235
    static let upperRatio = 4.301
    static let lowerRatio = 2.218
    static let innerGap = -11.109
    static let middleDrop = 4.500
    static let noseToLip = -13.758
    static let gapSpeedShort = -3.218
    static let gapSpeedLong = 2.256
    static let recentGap = -12.514
    /// Inputs are held within ± this: an absurd shape must not swing the score.
    static let inputLimit = 3.0
    /// Inner gap, interocular distances, at which a mouth is open and nothing is a purse: an "o" is not an "u". A jaw
    /// opening of 0.2, the guard of the game this project comes from.
    static let openMouthGap = 0.116
    /// Ratios are held above this before their logarithm is taken.
    static let smallestRatio = 1e-3
  }

  /// The score from this frame's lip shape alone, 0…1.
  let shape: Double
  /// The score with speech memory and the open-mouth guard: what the recogniser judges, 0…1.
  let gated: Double

  init(_ lips: LipShape, neutral: Neutral, speech: SpeechMemory) {
    func limited(_ value: Double) -> Double { min(max(value, -Weights.inputLimit), Weights.inputLimit) }
    func logRatio(_ value: Double, _ rest: Double) -> Double {
      limited(log(max(value / max(rest, Weights.smallestRatio), Weights.smallestRatio)))
    }
    let lipTerms =
      Weights.bias
      + Weights.widthRatio * logRatio(lips.widthOverNose, neutral.widthOverNose)
      + Weights.upperRatio * logRatio(lips.upperThickness, neutral.upperThickness)
      + Weights.lowerRatio * logRatio(lips.lowerThickness, neutral.lowerThickness)
      + Weights.innerGap * limited(lips.innerGap)
      + Weights.middleDrop * limited(lips.middleDrop - neutral.middleDrop)
      + Weights.noseToLip * limited(lips.noseToLip - neutral.noseToLip)
    let speechTerms =
      Weights.gapSpeedShort * limited(speech.gapSpeedShort)
      + Weights.gapSpeedLong * limited(speech.gapSpeedLong)
      + Weights.recentGap * limited(speech.recentGap)
    shape = Self.logistic(lipTerms)
    gated = lips.innerGap < Weights.openMouthGap ? Self.logistic(lipTerms + speechTerms) : 0
  }

  private static func logistic(_ value: Double) -> Double { 1 / (1 + exp(-value)) }
}

/// How much the mouth has opened and moved lately: talk leaves these high, a purse from rest finds them low.
struct SpeechMemory: Sendable {
  struct Constants {
    /// Seconds over which the gap's speed is taken, at least: shorter is landmark noise.
    static let speedInterval = 0.06
    /// Interocular distances a second; beyond this the gap's speed is a tracking jump.
    static let greatestSpeed = 3.0
    /// Time constants of the two averages of that speed, seconds.
    static let shortTime = 0.4
    static let longTime = 1.2
    /// Time constant with which the greatest recent gap is forgotten, seconds.
    static let gapTime = 0.5
  }

  /// Averages of the inner gap's speed, interocular distances a second.
  private(set) var gapSpeedShort = 0.0
  private(set) var gapSpeedLong = 0.0
  /// The greatest inner gap of late, decaying, interocular distances.
  private(set) var recentGap = 0.0
  /// Gaps since the newest that is old enough to take the speed from.
  private var history: [(time: Int64, gap: Double)] = []

  mutating func observe(innerGap gap: Double, at time: Int64) {
    defer { history.append((time, gap)) }
    guard let last = history.last, time > last.time else {
      recentGap = max(recentGap, gap)
      return
    }
    let interval = Double(time - last.time) / 1e9
    recentGap = max(recentGap * exp(-interval / Constants.gapTime), gap)
    func age(_ index: Int) -> Double { Double(time - history[index].time) / 1e9 }
    while history.count > 1, age(1) >= Constants.speedInterval { history.removeFirst() }
    guard age(0) >= Constants.speedInterval else { return }
    let speed = min(abs(gap - history[0].gap) / age(0), Constants.greatestSpeed)
    gapSpeedShort += (1 - exp(-interval / Constants.shortTime)) * (speed - gapSpeedShort)
    gapSpeedLong += (1 - exp(-interval / Constants.longTime)) * (speed - gapSpeedLong)
  }
}
