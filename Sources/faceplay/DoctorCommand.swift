// faceplay doctor: whether everything is there and how well it can run.
import Calibration
import FacePlayService

extension Command {
  static let doctor = Command(
    name: "doctor", summary: "check models, data, profiles and this computer, and say what to do", operands: "",
    operandCount: 0...0, options: []
  ) { _ in
    Interruption.endAtOnce()
    let diagnosis = Diagnosis(data: DataFiles(), store: ProfileStore())
    try printResult(DiagnosisReport.text(diagnosis.findings), terminator: "")
    return diagnosis.isHealthy ? .ok : .configuration
  }
}

/// Findings as text, one a line.
enum DiagnosisReport {
  static func text(_ findings: [Finding]) -> String {
    let width = (findings.map(\.subject.count).max() ?? 0) + 2
    return findings.map { "\(mark($0.verdict)) \($0.subject.padded(to: width))\($0.detail)\n" }.joined()
  }

  private static func mark(_ verdict: Finding.Verdict) -> String {
    switch verdict {
    case .good: "✓"
    case .poor: "!"
    case .bad: "✗"
    }
  }
}
