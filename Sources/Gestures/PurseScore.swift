// How purse-like the lips are, against the player's own neutral.
import FaceGeometry
import Glibc

/// A logistic score over lip shape and speech memory: the probability that the lips are pursed on purpose.
///
/// Fitted on 13 purses and 5.9 minutes of talk of real people, cross-validated by clip. With each clip left out in turn
/// while `quiet`, the closed gap and `PurseRecognizer`'s credited hold are chosen: 12 of 13 found, 2 false in talk. Narrow and thick lips raise it; an open mouth, recent opening and moving lips lower it. What is known beside
/// the lips shifts it: lips that have been closed for a while are not talking, so that less narrowing will do, and while
/// the neutral is little more than a guess, more is asked.
struct PurseScore: Sendable, Equatable {
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
    /// Credit for a quiet mouth and a known neutral, in units of the logit: 3 (odds of 20) lets lips narrowed to 87 % of
    /// rest pass, which is what is seen of a purse in the dark or from the side. From 2.5 to 3.25 the counts on the
    /// development material hardly change; at 3.5 faces at rest begin to pass.
    static let quiet = 3.0
    /// Share of the quiet mouth's credit while a purse is held: with all of it, lips at rest would come too near the
    /// release.
    static let heldShare = 2.0 / 3
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
  /// The score with speech memory, the credit of a quiet mouth and the open-mouth guard: what the recogniser judges, 0…1.
  let gated: Double
  /// `gated` without the credit of a quiet mouth, 0…1.
  let uncredited: Double
  /// Whether the lips touch: a purse begins with closed lips, a rounded vowel with a gap.
  let lipsAreClosed: Bool
}

extension PurseScore {
  /// `knowledge` is how much of the neutral's lips is the player's own, 0…1; `isPursing` whether a purse is held.
  init(_ lips: LipShape, neutral: Neutral, knowledge: Double, speech: SpeechMemory, isPursing: Bool = false) {
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
    let judged = lipTerms + speechTerms - Weights.quiet * (1 - knowledge)
    let credit = Weights.quiet * knowledge * speech.quiet * (isPursing ? Weights.heldShare : 1)
    let isOpen = lips.innerGap >= Weights.openMouthGap
    self.init(
      shape: Self.logistic(lipTerms),
      gated: isOpen ? 0 : Self.logistic(judged + credit),
      uncredited: isOpen ? 0 : Self.logistic(judged),
      lipsAreClosed: lips.innerGap < SpeechMemory.Constants.closedGap)
  }

  private static func logistic(_ value: Double) -> Double { 1 / (1 + exp(-value)) }
}
