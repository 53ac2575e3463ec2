// A simulated player before a guided calibration, at 15 frames a second.
import FaceGeometry
import Fixtures
import Foundation
import Gestures

@testable import Calibration

extension CalibrationScript {
  /// As shipped.
  static func shipped() throws -> CalibrationScript {
    try CalibrationScript(contentsOf: Checkout.root.appending(path: path).path(percentEncoded: false))
  }
}

/// What the player does with what is asked.
struct GuidedPlayer {
  /// What the player does for an activity, given the hint from the attempt before; `nil`: hides.
  typealias Behaviour = (Activity, CalibrationText?) -> Activity?

  static let interval: Int64 = 66_666_667

  let script: CalibrationScript
  var calibration: GuidedCalibration
  var player: SimulatedPlayer
  var behaviour: Behaviour
  var time: Int64 = 0
  /// What each change of the view read: step, activity, phase and hint.
  var seen: [String] = []

  init(
    _ player: SimulatedPlayer = SimulatedPlayer(), script: CalibrationScript, base: Profile = Profile(name: "mine"),
    behaviour: @escaping Behaviour = { activity, _ in activity }
  ) {
    self.script = script
    self.player = player
    self.behaviour = behaviour
    calibration = GuidedCalibration(script: script, base: base)
  }

  var status: GuidedCalibration.Status { calibration.status }

  var part: CalibrationScript.Part {
    script.steps[status.step].parts.first { $0.prompt == calibration.status.prompt }!
  }

  /// Until it ends.
  mutating func play() { play { _ in false } }

  /// Until it ends or the status is as wanted; an hour is more than any calibration takes.
  mutating func play(until isReached: (GuidedCalibration.Status) -> Bool) {
    while calibration.outcome == nil, !isReached(status), time < 3_600_000_000_000 { frame() }
  }

  mutating func frame() {
    let (status, part) = (status, part)
    var activity = behaviour(.rest, status.hint)
    var after = 0.0
    if case .measuring(let left) = status.phase {
      activity = behaviour(part.activity, status.hint)
      after = part.seconds - left
    }
    let face = activity.map { player.face($0, after: after) }
    calibration.process(
      FaceObservation(
        frameIndex: Int(time / Self.interval), timestamp: time, confidence: 1, landmarks: face?.landmarks))
    note()
    time += Self.interval
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
  var analysis: CalibrationAnalysis? { if case .calibrated(let analysis) = self { analysis } else { nil } }
  var refusal: CalibrationRefusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}
