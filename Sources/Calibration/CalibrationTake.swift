// What was recorded of one activity.
import FaceGeometry
import Gestures

/// A stretch of observations during which the player did one thing; between takes anything may have happened.
public struct CalibrationTake: Sendable {
  public let activity: Activity
  /// In order of time.
  public let observations: [FaceObservation]

  public init(_ activity: Activity, _ observations: [FaceObservation]) {
    self.activity = activity
    self.observations = observations
  }
}

extension Activity {
  var side: Direction? {
    switch self {
    case .tiltLeft, .tiltLeftAndPurse: .left
    case .tiltRight, .tiltRightAndPurse: .right
    case .rest, .purse, .talk, .smile: nil
    }
  }

  var hasPurses: Bool { self == .purse || self == .tiltLeftAndPurse || self == .tiltRightAndPurse }

  /// Without these nothing can be calibrated; the others only make it better.
  var isRequired: Bool { self == .rest || self == .tiltLeft || self == .tiltRight || self == .purse }
}

extension GestureRecognizer {
  /// Nanoseconds that a player is taken to have waited before a take, at most, and from frame to frame of it: long
  /// enough for closed lips to count as quiet, short enough for no frame to be missed.
  private static let wait: (length: Int64, interval: Int) = (4_500_000_000, 100_000_000)

  /// Sees the player wait, as at rest, until a take begins: what lies between takes is not recorded, and in play the lips
  /// have been quiet before most purses.
  mutating func wait(before take: CalibrationTake, of takes: [CalibrationTake]) {
    let rest = takes.first { $0.activity == .rest }
    guard let start = take.observations.first?.timestamp,
      let resting = rest?.observations.last(where: { $0.landmarks != nil })
    else { return }
    // Just before the face would count as lost, and what the recogniser remembers of it with it.
    let from = max(deadline.map { $0 - 1 } ?? .min, start - Self.wait.length)
    for time in stride(from: from, to: start, by: Self.wait.interval) {
      _ = process(
        FaceObservation(
          frameIndex: resting.frameIndex, timestamp: time, confidence: resting.confidence,
          landmarks: resting.landmarks))
    }
  }
}

/// A take as the recognisers saw it: the frames that showed a face.
struct MeasuredTake: Sendable {
  struct Frame: Sendable {
    /// Seconds on the observations' clock.
    let time: Double
    let signals: GestureState.Signals
    /// Mouth width over nose width, as `LipShape`.
    let mouthWidth: Double
  }

  let activity: Activity
  var frames: [Frame] = []

  var rolls: [Double] { frames.map(\.signals.roll) }

  /// Degrees towards the activity's side.
  func rolls(towards side: Direction) -> [Double] { frames.map { $0.signals.roll * (side == .left ? -1 : 1) } }

  var purses: PurseTrack { PurseTrack(frames.map { ($0.time, $0.signals.purse) }) }

  /// Seconds from the first frame to the last.
  var duration: Double { frames.isEmpty ? 0 : frames.last!.time - frames[0].time }

  /// Steps a recogniser over one observation; keeps the frame if it shows a face.
  mutating func add(_ observation: FaceObservation, _ recognizer: inout GestureRecognizer) {
    let (state, _) = recognizer.process(observation)
    guard let signals = state.signals, let face = observation.landmarks.flatMap(FaceSignals.init) else { return }
    frames.append(
      Frame(time: Double(state.timestamp) / 1e9, signals: signals, mouthWidth: face.lips.widthOverNose))
  }
}
