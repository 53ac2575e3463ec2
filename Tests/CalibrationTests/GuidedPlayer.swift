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
  static let interval: Int64 = 66_666_667

  var calibration: GuidedCalibration
  var player: SimulatedPlayer
  var time: Int64 = 0
  /// What each change of the view read: step, prompt, phase and hint.
  var seen: [String] = []
  private var asked: (prompt: LocalizedText, since: Int64)?

  init(_ player: SimulatedPlayer = SimulatedPlayer(), script: CalibrationScript, base: Profile = Profile(name: "mine")) {
    self.player = player
    calibration = GuidedCalibration(script: script, base: base)
  }

  /// Until it ends or `limit` seconds have passed. `doing`: what the player does instead of what is asked; `nil`: hides.
  mutating func play(
    script: CalibrationScript, limit: Double = 1000, doing: (Activity) -> Activity? = { $0 }
  ) {
    let end = time + Int64(limit * 1e9)
    while calibration.outcome == nil, time < end { frame(script, doing) }
  }

  mutating func frame(_ script: CalibrationScript, _ doing: (Activity) -> Activity? = { $0 }) {
    let status = calibration.status
    let part = script.steps[status.step].parts.first { $0.prompt == status.prompt }!
    var activity: Activity? = doing(.rest)
    var since = time
    if case .measuring(let left) = status.phase {
      activity = doing(part.activity)
      since = time - Int64((part.seconds - left) * 1e9)
    }
    let face = activity.map { player.face($0, after: Double(time - since) / 1e9) }
    calibration.process(
      FaceObservation(
        frameIndex: Int(time / Self.interval), timestamp: time, confidence: 1, landmarks: face?.landmarks))
    note(calibration.status, part)
    time += Self.interval
  }

  private mutating func note(_ status: GuidedCalibration.Status, _ part: CalibrationScript.Part) {
    let phase =
      switch status.phase {
      case .waitingForFace: "waiting"
      case .preparing: "preparing"
      case .measuring: "measuring"
      case .finished: "finished"
      }
    let line = "\(status.step) \(part.activity) \(phase)" + (status.hint.map { " \($0)" } ?? "")
    if seen.last != line { seen.append(line) }
  }
}
