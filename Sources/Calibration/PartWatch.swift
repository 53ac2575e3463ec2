// Whether a part's recording shows what was asked for.
import FaceGeometry
import Gestures

/// What a player's own rest looks like; the defaults are for a player whose rest was skipped.
struct RestLevels: Sendable {
  /// Degrees RMS.
  var rollNoise = TiltSettings().noise
  /// Log-odds above which lips are pursed rather than at rest.
  var quiet = logOdds(PurseSettings().begin)
  /// Mouth width over nose width; `nil`: not known.
  var mouthWidth: Double?

  init() {}

  init(_ rest: MeasuredTake) {
    guard !rest.frames.isEmpty else { return }
    rollNoise = TiltCalibration.noise(rest.rolls)
    quiet = PurseCalibration.quiet([rest])
    mouthWidth = quantile(0.5, of: rest.frames.map(\.mouthWidth))
  }
}

/// Watches one attempt at one part.
struct PartWatch: Sendable {
  struct Constants {
    /// The share of the time in which the face must be seen.
    static let leastSeen = 0.7
    /// Degrees from the 5th to the 95th percentile at rest; a head at rest sways by 1–2.
    static let greatestSway = 5.0
    /// Log-odds of the purse score, likewise; lips at rest stay within 1.5, in the dark too.
    static let greatestLipChange = 4.0
    /// In noise RMS: a tilt is clear of rest.
    static let tiltOverNoise = 4.0
    /// Jaw opening, 0…1, from the 10th to the 90th percentile: speech opens the mouth by more than 0.02 between the eyes.
    static let leastTalk = 0.05
    /// Mouth width over its width at rest in a smile.
    static let leastSmile = 1.05
    /// Seconds without a frame that count as not seen.
    static let longestGap = 0.25
  }

  private let part: CalibrationScript.Part
  private var take: MeasuredTake
  private var seen = 0.0
  private var lastTime: Double?

  init(_ part: CalibrationScript.Part) {
    self.part = part
    take = MeasuredTake(activity: part.activity)
  }

  /// Takes one frame through the recogniser; its signals.
  mutating func add(_ observation: FaceObservation, _ recognizer: inout GestureRecognizer) -> GestureState.Signals? {
    let count = take.frames.count
    take.add(observation, &recognizer)
    let time = Double(observation.timestamp) / 1e9
    let hasFace = take.frames.count > count
    if let lastTime, hasFace, time - lastTime <= Constants.longestGap { seen += time - lastTime }
    lastTime = time
    return hasFace ? take.frames[count].signals : nil
  }

  func purseCount(_ rest: RestLevels) -> Int {
    part.activity.hasPurses ? take.purses.purses(above: rest.quiet).count : 0
  }

  /// Whether all that is counted is there and over, so that the time need not be waited for.
  func hasAll(_ rest: RestLevels) -> Bool {
    guard let wanted = part.times, let last = take.frames.last else { return false }
    return logOdds(last.signals.purse) < rest.quiet && purseCount(rest) >= wanted
  }

  /// What is missing when it ends after so many seconds; `nil` when nothing is.
  func complaint(_ rest: RestLevels, after seconds: Double) -> CalibrationText? {
    guard !take.frames.isEmpty, seen >= Constants.leastSeen * seconds else { return .lostFace }
    switch part.activity {
    case .rest:
      let lips = take.frames.map { logOdds($0.signals.purse) }
      return spread(take.rolls) > Constants.greatestSway || spread(lips) > Constants.greatestLipChange ? .moved : nil
    case .tiltLeft, .tiltRight:
      return tiltComplaint(rest)
    case .purse:
      return pursesComplaint(rest)
    case .tiltLeftAndPurse, .tiltRightAndPurse:
      return tiltComplaint(rest) ?? pursesComplaint(rest)
    case .talk:
      let opening = take.frames.map(\.signals.jawOpen)
      return quantile(0.9, of: opening) - quantile(0.1, of: opening) >= Constants.leastTalk ? nil : .noTalk
    case .smile:
      guard let width = rest.mouthWidth else { return nil }
      return quantile(0.9, of: take.frames.map(\.mouthWidth)) >= Constants.leastSmile * width ? nil : .noSmile
    }
  }

  private func spread(_ values: [Double]) -> Double { quantile(0.95, of: values) - quantile(0.05, of: values) }

  private func pursesComplaint(_ rest: RestLevels) -> CalibrationText? {
    purseCount(rest) >= part.times ?? 1 ? nil : .tooFewPurses
  }

  private func tiltComplaint(_ rest: RestLevels) -> CalibrationText? {
    guard let side = part.activity.side else { return nil }
    let least = max(TiltCalibration.Constants.leastExtent, Constants.tiltOverNoise * rest.rollNoise)
    if TiltCalibration.extent(take.rolls(towards: side)) >= least { return nil }
    let other: Direction = side == .left ? .right : .left
    return TiltCalibration.extent(take.rolls(towards: other)) >= least ? .otherSide : .noTilt
  }
}
