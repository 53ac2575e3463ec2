// faceplay export: a clip's or camera's gestures or landmarks into a file.
import FacePlayService
import Glibc

extension Command {
  static let export = Command(
    name: "export", summary: "write a clip's or camera's gestures, or its landmarks, to a file",
    operands: "CLIP|CAMERA", operandCount: 1...1,
    options: [
      Option(name: "-o", value: "FILE", summary: "where to; - is standard output"),
      Option(name: "--format", value: "FORMAT", summary: "jsonl (the default), csv or landmarks"),
      .profile, .engine, .keepRate,
    ]
  ) { arguments in
    guard let path = arguments["-o"] else { throw UsageError.missingOption("-o FILE") }
    guard !isSameFile(path, arguments.operands[0]) else { throw UsageError.sameFile(path) }
    let data = DataFiles()
    let format = try arguments.exportFormat()
    let profile = try arguments.profile(data)
    let feed = try openFeed(arguments.operands[0], pace: .fast, options: arguments.feedOptions(), data: data)
    feed.tellNotice()
    var progress = ProgressBar(duration: feed.duration)
    let export = ClipExport(feed, profile: profile, format: format) { printError("faceplay: \($0)") }
    Interruption.call { export.stop() }
    let summary = try export.run(to: path) { progress.show($0) }
    progress.clear()
    let counts =
      counted(summary.frames, "frame") + (format == .landmarks ? "" : ", \(counted(summary.events, "event"))")
    let status = Interruption.status(default: .ok)
    guard status != .ok, feed.source.kind != .camera else {
      printError("\(path): \(counts)")
      return Interruption.liveStatus(default: feed.tellDamage())
    }
    printError(
      "faceplay: stopped at \(EventText.seconds(summary.reached)); \(summary.path) holds what came before: \(counts)")
    return status
  }
}

extension Arguments {
  fileprivate func exportFormat() throws -> ExportFormat {
    guard let name = self["--format"] else { return .jsonl }
    guard let format = ExportFormat(rawValue: name) else {
      throw UsageError.badValue(option: "--format", value: name, allowed: ExportFormat.allCases.map(\.rawValue))
    }
    return format
  }
}

/// Whether both names lead to one file.
func isSameFile(_ first: String, _ second: String) -> Bool {
  var (one, other) = (stat(), stat())
  guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino
}

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
    printError("\r\(text)\u{1B}[K", terminator: "")
  }

  func clear() {
    if isShown, !lastText.isEmpty { printError("\r\u{1B}[K", terminator: "") }
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
