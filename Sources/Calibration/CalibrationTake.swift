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
