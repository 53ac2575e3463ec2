// The player at rest: what every signal is measured against, found by itself.
import FaceGeometry
import Glibc

/// The player's resting face and posture.
public struct Neutral: Sendable, Equatable, Codable {
  /// Degrees, as `HeadPose`.
  public var roll: Double
  /// Degrees, as `HeadPose`.
  public var yaw: Double
  /// As the `LipShape` members of these names.
  public var widthOverNose, upperThickness, lowerThickness, middleDrop, noseToLip: Double

  public init(
    roll: Double, yaw: Double, widthOverNose: Double, upperThickness: Double, lowerThickness: Double,
    middleDrop: Double, noseToLip: Double
  ) {
    self.roll = roll
    self.yaw = yaw
    self.widthOverNose = widthOverNose
    self.upperThickness = upperThickness
    self.lowerThickness = lowerThickness
    self.middleDrop = middleDrop
    self.noseToLip = noseToLip
  }

  /// What is assumed of a player not yet seen: head upright, lips as the median of 28 people's.
  static let prior = Neutral(
    roll: 0, yaw: 0, widthOverNose: 1.22, upperThickness: 0.070, lowerThickness: 0.110, middleDrop: 0.03,
    noseToLip: 0.15)
}

/// Finds the neutral from what is seen: medians over the last minute, blended with a prior while little has been seen.
/// A head that starts tilted is thus a tilt, not the neutral. A calibrated neutral is a prior that weighs more.
struct NeutralEstimator: Sendable {
  struct Constants {
    /// Nanoseconds between samples: 10 a second.
    static let samplingInterval: Int64 = 100_000_000
    /// Samples for roll and yaw, a minute: chair creep is followed, gestures are outvoted.
    static let poseWindow = 600
    /// Samples for the lips, half a minute.
    static let lipWindow = 300
    /// The prior's weight in samples for roll: four seconds, so that a clip that begins in a tilt shows it.
    static let rollPriorWeight = 40.0
    /// The prior's weight in samples for all else: one second.
    static let priorWeight = 10.0
    /// A calibrated prior's weight in samples: at first as much as all that a window holds.
    static let calibratedWeight = 600.0
    /// Samples after which a calibrated prior weighs half, three minutes: chair creep is followed in the end.
    static let calibratedHalfLife = 1800.0
    /// Degrees of yaw from neutral beyond which the mesh's far side is guessed and a sample is not taken.
    static let greatestYaw = 30.0
    /// Lip shapes are taken as neutral where the inner gap is at most this quantile of the window's: mouth closed.
    static let closedMouthQuantile = 0.6
  }

  private(set) var neutral: Neutral
  private var posePrior: Prior
  private var lipPrior: Prior
  /// How much of the neutral's lips is the player's own and not the population's, 0…1.
  var lipKnowledge: Double {
    lipPrior.isCalibrated ? 1 : Double(lips.count) / (Constants.priorWeight + Double(lips.count))
  }
  private var rolls = Window(capacity: Constants.poseWindow)
  private var yaws = Window(capacity: Constants.poseWindow)
  private var lips: [LipShape] = []
  private var lastSample: Int64?

  /// Where the neutral starts.
  private struct Prior {
    let neutral: Neutral
    var calibratedWeight = 0.0
    var isCalibrated: Bool { calibratedWeight > 0 }

    func weight(atLeast least: Double) -> Double { max(least, calibratedWeight) }

    mutating func fade() { calibratedWeight *= exp2(-1 / Constants.calibratedHalfLife) }
  }

  /// `calibrated` is where this player was found to rest; without it, the population's median is where it starts.
  init(calibrated: Neutral? = nil) {
    neutral = calibrated ?? .prior
    posePrior = Prior(neutral: neutral, calibratedWeight: calibrated == nil ? 0 : Constants.calibratedWeight)
    lipPrior = posePrior
  }

  /// Takes a posture for the neutral from now on; the lips stay what they were. Degrees, as `HeadPose`.
  mutating func recentre(roll: Double, yaw: Double) {
    (neutral.roll, neutral.yaw) = (roll, yaw)
    posePrior = Prior(neutral: neutral, calibratedWeight: Constants.calibratedWeight)
    rolls = Window(capacity: Constants.poseWindow)
    yaws = Window(capacity: Constants.poseWindow)
  }

  /// Takes the signals as a sample when one is due.
  mutating func observe(_ signals: FaceSignals, at time: Int64) {
    if let lastSample, time - lastSample < Constants.samplingInterval { return }
    lastSample = time
    posePrior.fade()
    lipPrior.fade()
    yaws.append(signals.pose.yaw)
    neutral.yaw = yaws.median(
      prior: posePrior.neutral.yaw, weight: posePrior.weight(atLeast: Constants.priorWeight))
    guard abs(signals.pose.yaw - neutral.yaw) < Constants.greatestYaw else { return }
    rolls.append(signals.pose.roll)
    neutral.roll = rolls.median(
      prior: posePrior.neutral.roll, weight: posePrior.weight(atLeast: Constants.rollPriorWeight))
    if lips.count == Constants.lipWindow { lips.removeFirst() }
    lips.append(signals.lips)
    updateLips()
  }

  private mutating func updateLips() {
    let gaps = lips.map(\.innerGap).sorted()
    let closed = gaps[Int(Constants.closedMouthQuantile * Double(gaps.count - 1))]
    let resting = lips.filter { $0.innerGap <= closed }
    func blend(_ shapes: [LipShape], _ measure: (LipShape) -> Double, _ prior: Double) -> Double {
      blended(
        median(shapes.map(measure)), count: lips.count, prior: prior,
        weight: lipPrior.weight(atLeast: Constants.priorWeight))
    }
    let prior = lipPrior.neutral
    neutral.widthOverNose = blend(lips, \.widthOverNose, prior.widthOverNose)
    neutral.upperThickness = blend(resting, \.upperThickness, prior.upperThickness)
    neutral.lowerThickness = blend(resting, \.lowerThickness, prior.lowerThickness)
    neutral.middleDrop = blend(resting, \.middleDrop, prior.middleDrop)
    neutral.noseToLip = blend(resting, \.noseToLip, prior.noseToLip)
  }
}

/// The last `capacity` values.
private struct Window: Sendable {
  let capacity: Int
  private var values: [Double] = []

  init(capacity: Int) { self.capacity = capacity }

  mutating func append(_ value: Double) {
    if values.count == capacity { values.removeFirst() }
    values.append(value)
  }

  func median(prior: Double, weight: Double) -> Double {
    blended(Gestures.median(values), count: values.count, prior: prior, weight: weight)
  }
}

private func blended(_ value: Double, count: Int, prior: Double, weight: Double) -> Double {
  (weight * prior + Double(count) * value) / (weight + Double(count))
}

/// The middle value, or the mean of the middle two; `values` is not empty.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
