// How far a long command is.
import FacePlayService
import Glibc

/// One line on standard error while it is a terminal.
struct ProgressBar {
  private static let width = 30
  private let duration: Int64?
  private let isShown = isatty(STDERR_FILENO) == 1
  private var lastText = ""

  /// `duration` in nanoseconds, where it is known.
  init(duration: Int64?) {
    self.duration = duration
  }

  /// `note` comes after how far it is.
  mutating func show(_ summary: ClipExport.Summary, note: String = "") {
    guard isShown else { return }
    let text = Self.text(summary, duration: duration) + note
    guard text != lastText else { return }
    lastText = text
    writeSoon("\r\(text)\u{1B}[K", to: STDERR_FILENO)
  }

  func clear() {
    if isShown, !lastText.isEmpty { writeSoon("\r\u{1B}[K", to: STDERR_FILENO) }
  }

  static func text(_ summary: ClipExport.Summary, duration: Int64?) -> String {
    let reached = number(Double(summary.reached) / 1e9, 0)
    guard let duration, duration > 0 else { return "\(reached) s" }
    let share = min(max(Double(summary.reached) / Double(duration), 0), 1)
    let filled = Int(share * Double(width))
    let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
    return "[\(bar)] \(number(share * 100, 0)) % · \(reached) of \(number(Double(duration) / 1e9, 0)) s"
  }
}
