// The calibration as lines of text: pure, for any width.
import Calibration
import Capture
import FacePlayService
import Gestures

struct CalibrationView {
  private static let barWidth = 31

  let script: CalibrationScript
  let language: Language
  let takesKeys: Bool

  /// At most `width` columns a line.
  func lines(_ status: GuidedCalibration.Status, _ trouble: CameraCondition?, title: String, width: Int) -> [String] {
    let width = max(width - 1, 1)
    let signals = status.signals
    let lines =
      [
        title, "", "\(step(status)) · \(status.title[language])", Self.bar(status.progress), "",
      ] + status.prompt[language].wrapped(to: width) + [
        "", "▶ \(script.words(status, language) ?? "")" + (script.purses(status, language).map { " · \($0)" } ?? ""),
        trouble.map { "! \($0)" } ?? status.hint.map { "! \(script.text($0, language))" } ?? "", "",
        "roll    \(LiveView.rollMeter(signals?.roll, status.profile.effectiveTilt)) \(LiveView.signed(signals?.roll, 1))°",
        "purse   \(LiveView.purseMeter(signals?.purse, status.profile.effectivePurse)) \(LiveView.signed(signals?.purse, 2))",
      ] + (takesKeys ? ["", script.text(.keys, language)] : [])
    return lines.map { $0.cut(to: width) }
  }

  /// What is new since `last`, for whoever reads lines as they come.
  func news(_ status: GuidedCalibration.Status, since last: GuidedCalibration.Status?) -> [String] {
    var lines: [String] = []
    if status.prompt != last?.prompt {
      lines.append("\(step(status)) · \(status.title[language]): \(status.prompt[language])")
    }
    if let last, status.phase.isSameKind(as: last.phase), status.prompt == last.prompt {
      // Only a count may be new.
    } else if status.phase != .finished {
      if let hint = status.hint, !status.phase.isMeasuring { lines.append("  ! \(script.text(hint, language))") }
      lines.append("  \(script.words(status, language) ?? "")")
    }
    if let purses = script.purses(status, language), status.purses?.seen != last?.purses?.seen {
      lines.append("  \(purses)")
    }
    return lines
  }

  private func step(_ status: GuidedCalibration.Status) -> String {
    script.text(.step, language, ["number": "\(status.step + 1)", "count": "\(status.stepCount)"])
  }

  private static func bar(_ share: Double) -> String {
    let full = Int((share * Double(barWidth)).rounded())
    return "[" + String(repeating: "█", count: full) + String(repeating: "·", count: barWidth - full)
      + "] \(number(share * 100, 0)) %"
  }
}

extension GuidedCalibration.Phase {
  fileprivate var isMeasuring: Bool { if case .measuring = self { true } else { false } }

  fileprivate func isSameKind(as other: Self) -> Bool {
    switch (self, other) {
    case (.waitingForFace, .waitingForFace), (.preparing, .preparing), (.measuring, .measuring),
      (.finished, .finished):
      true
    default: false
    }
  }
}
