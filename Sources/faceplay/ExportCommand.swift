// faceplay export: a clip's or camera's gestures or landmarks into a file.
import FacePlayService

extension Command {
  static let export = Command(
    name: "export", summary: "write a clip's or camera's gestures, or its landmarks, to a file",
    operands: "CLIP|CAMERA", operandCount: 1...1,
    options: [
      Option(
        name: "-o", value: "FILE",
        summary: "a new file; .jsonl, .csv or .fplm says what is written; - is standard output"),
      Option(
        name: "--format", value: "FORMAT",
        summary: "jsonl, csv or landmarks where FILE's name does not say; jsonl for a name without an extension"),
      .profile, .engine, .keepRate,
    ]
  ) { arguments in
    let format = try arguments.exportFormat()
    let path = try arguments.output()
    let data = DataFiles()
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
  /// What the output's extension says, or else `--format`, or else JSON Lines. Throws `UsageError` where the first two
  /// differ, and for an extension that says nothing, without `--format`.
  fileprivate func exportFormat() throws -> ExportFormat {
    let path = self["-o"] ?? ""
    let told = ExportFormat(path: path)
    let wanted: ExportFormat? = try choice("--format")
    if let told, let wanted, told != wanted {
      throw UsageError.badValue(
        option: "--format", value: wanted.rawValue, must: "be \(told.rawValue), as the name \(path) says")
    }
    if let format = told ?? wanted { return format }
    guard fileExtension(of: path).isEmpty else {
      let known = ExportFormat.allCases.map(\.fileExtension).alternatives
      throw UsageError.badValue(
        option: "-o", value: path, must: "be a name that ends in \(known), or come with --format")
    }
    return .jsonl
  }
}
