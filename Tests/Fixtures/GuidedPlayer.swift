// A simulated player before a guided calibration, at 15 frames a second.
import Calibration
import FaceGeometry
import Gestures

extension CalibrationScript {
  /// As shipped.
  public static func shipped() throws -> CalibrationScript {
    try CalibrationScript(contentsOf: Checkout.root.appending(path: path).path(percentEncoded: false))
  }
}

/// Does what is asked, or something else.
public struct GuidedPlayer {
  /// What the player does for an activity, given the hint from the attempt before; `nil`: hides.
  public typealias Behaviour = (Activity, CalibrationText?) -> Activity?

  /// Nanoseconds from frame to frame.
  public static let interval: Int64 = 66_666_667

  public var calibration: GuidedCalibration
  public var behaviour: Behaviour
  public private(set) var time: Int64 = 0
  /// What each change of the view read: step, activity, phase and hint.
  public private(set) var seen: [String] = []
  private let script: CalibrationScript
  private var player: SimulatedPlayer

  public init(
    _ player: SimulatedPlayer = SimulatedPlayer(), script: CalibrationScript, base: Profile = Profile(name: "mine"),
    behaviour: @escaping Behaviour = { activity, _ in activity }
  ) {
    self.script = script
    self.player = player
    self.behaviour = behaviour
    calibration = GuidedCalibration(script: script, base: base)
  }

  public var status: GuidedCalibration.Status { calibration.status }

  public var part: CalibrationScript.Part {
    let status = status
    return script.steps[status.step].parts.first { $0.prompt == status.prompt }!
  }

  /// Until it ends.
  public mutating func play() { play { _ in false } }

  /// Until it ends or the status is as wanted; an hour is more than any calibration takes.
  public mutating func play(until isReached: (GuidedCalibration.Status) -> Bool) {
    while calibration.outcome == nil, !isReached(status), time < 3_600_000_000_000 { frame() }
  }

  /// One frame; what was shown to the calibration.
  @discardableResult
  public mutating func frame() -> FaceObservation {
    let (status, part) = (status, part)
    var activity = behaviour(.rest, status.hint)
    var after = 0.0
    if case .measuring(let left) = status.phase {
      activity = behaviour(part.activity, status.hint)
      after = part.seconds - left
    }
    let face = activity.map { player.face($0, after: after) }
    let observation = FaceObservation(
      frameIndex: Int(time / Self.interval), timestamp: time, confidence: 1, landmarks: face?.landmarks)
    calibration.process(observation)
    note()
    time += Self.interval
    return observation
  }

  private mutating func note() {
    let phase =
      switch status.phase {
      case .waitingForFace: "waiting"
      case .preparing: "preparing"
      case .measuring: "measuring"
      case .finished: "finished"
      }
    let line = "\(status.step + 1) \(part.activity) \(phase)" + (status.hint.map { " \($0)" } ?? "")
    if seen.last != line { seen.append(line) }
  }
}

extension GuidedCalibration.Outcome {
  public var analysis: CalibrationAnalysis? { if case .calibrated(let analysis) = self { analysis } else { nil } }
  public var refusal: CalibrationRefusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}
