// faceplay replay: a recorded stream, back in time.
import FacePlayService
import GestureStream
import Gestures
import Synchronization

extension Command {
  static let replay = Command(
    name: "replay", summary: "play a gesture stream back in time", operands: "FILE", operandCount: 1...1,
    options: [.stream]
  ) { arguments in
    let replay = StreamReplay(path: arguments.operands[0])
    let output = Mutex<(any LiveOutput)?>(nil)
    Interruption.call(Interruption.Stop(after: { output.withLock { $0 }?.redraw() })) { replay.stop() }
    let ending = try replay.run { record in
      let told = try output.withLock { output in
        if let output { return output }
        let made = try makeOutput(record, isStream: arguments.has("--stream"))
        output = made
        return made
      }
      if case .header = record { return }
      told.tell(record)
      try told.check()
    }
    try output.withLock { $0 }?.finish(latency: nil)
    switch ending {
    case .whole: return .ok
    case .stopped: return Interruption.status(default: .ok)
    case .cutShort:
      printError("faceplay: \(arguments.operands[0]) has no end: whatever wrote it was cut short")
      return .data
    }
  }

  /// For a stream that begins with `first`. A table (CSV) has no header record.
  private static func makeOutput(_ first: StreamRecord, isStream: Bool) throws -> any LiveOutput {
    let header: StreamHeader
    if case .header(let recorded) = first {
      header = recorded
    } else {
      let source = StreamHeader.Source(kind: .clip, name: "table", width: 1, height: 1, fps: 0)
      header = StreamHeader(clock: .media, source: source, landmarkModel: nil, profile: Profile())
    }
    if isStream {
      return try RecordWriter(
        path: "-", format: .jsonl, header: header, isLive: true, cancellation: Interruption.cancellation)
    }
    guard TerminalScreen.isAvailable else { return try PlainOutput() }
    return TerminalOutput {
      LiveFigures(
        title: LiveFigures.title(header.source, header.profile), profile: header.profile, latency: nil, dropped: 0)
    }
  }
}
