// faceplay replay: a recorded stream, back in time.
import FacePlayService
import GestureStream
import Gestures

extension Command {
  static let replay = Command(
    name: "replay", summary: "play a gesture stream back in time", operands: "FILE", operandCount: 1...1,
    options: [.stream]
  ) { arguments in
    let replay = StreamReplay(path: arguments.operands[0])
    Interruption.call { replay.stop() }
    var output: (any LiveOutput)?
    let isCutShort = try replay.run { record in
      if case .header(let header) = record {
        output = try makeOutput(header, isStream: arguments.has("--stream"))
      } else {
        let told = try output ?? makeOutput(nil, isStream: arguments.has("--stream"))
        output = told
        told.tell(record)
        try told.check()
      }
    }
    try output?.finish(latency: nil)
    if isCutShort { printError("faceplay: \(arguments.operands[0]) has no end: whatever wrote it was cut short") }
    return .ok
  }

  /// A table (CSV) has no header record.
  private static func makeOutput(_ header: StreamHeader?, isStream: Bool) throws -> any LiveOutput {
    let source = header?.source ?? StreamHeader.Source(kind: .clip, name: "table", width: 1, height: 1, fps: 0)
    let header =
      header ?? StreamHeader(clock: .media, source: source, landmarkModel: nil, profile: Profile())
    if isStream { return try RecordWriter(path: "-", format: .jsonl, header: header, isLive: true) }
    guard TerminalScreen.isAvailable else { return try PlainOutput() }
    return TerminalOutput {
      LiveFigures(
        title: LiveFigures.title(header.source, header.profile), profile: header.profile, latency: nil, dropped: 0)
    }
  }
}
