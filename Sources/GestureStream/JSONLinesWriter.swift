// Gesture streams as JSON Lines: the native format. Writing.
import FoundationEssentials
import Gestures

/// Takes a stream's records in order and writes one line for each.
public struct JSONLinesWriter {
  private let output: OutputFile

  public init(_ output: OutputFile) {
    self.output = output
  }

  /// Throws `StreamWriteError`, and `EncodingError` for a header as `StreamRecord.jsonLine()` does.
  public func write(_ record: StreamRecord) throws {
    try output.write(record.jsonLine())
  }
}

extension StreamRecord {
  /// The record as a line of UTF-8, `\n` included. Numbers are held within the schema's ranges, NaN is written as 0.
  ///
  /// Throws `EncodingError` for a header whose profile holds a number that is not finite.
  public func jsonLine() throws -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(256)
    switch self {
    case .header(let header): try line.appendHeader(header)
    case .frame(let state): line.appendFrame(state)
    case .event(let event): line.appendEvent(event)
    case .end(let end):
      line.append(#"{"type":"end","frames":"#, count: end.frames)
      line.append(#","dropped":"#, count: end.dropped)
      line.append(#","events":"#, count: end.events)
    }
    line.append("}\n")
    return line
  }
}

/// The keys stand in the schema's order. The closing brace is left to the caller.
extension [UInt8] {
  fileprivate mutating func appendHeader(_ header: StreamHeader) throws {
    append(#"{"type":"header","schema":"#, string: StreamHeader.schema)
    append(#","clock":"#, string: header.clock.rawValue)
    append(#","source":{"kind":"#, string: header.source.kind.rawValue)
    append(#","name":"#, string: header.source.name)
    append(#","width":"#, pixels: header.source.width)
    append(#","height":"#, pixels: header.source.height)
    append(#","fps":"#, fps: header.source.fps)
    append(#"},"models":{"#)
    if let digest = header.landmarkModel { append(#""landmarks":"#, string: digest) }
    append(#"},"profile":"#)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    self += try encoder.encode(ProfileRecord(header.profile))
  }

  fileprivate mutating func appendFrame(_ state: GestureState) {
    append(#"{"type":"frame","n":"#, count: state.frameIndex)
    append(#","t":"#, time: state.timestamp)
    if let signals = state.signals {
      append(#","face":true,"confidence":"#, score: signals.confidence)
      append(#","roll":"#, angle: signals.roll)
      append(#","yaw":"#, angle: signals.yaw)
      append(#","pitch":"#, angle: signals.pitch)
      append(#","purse":"#, score: signals.purse)
      append(#","jawOpen":"#, score: signals.jawOpen)
      append(#","raw":{"roll":"#, angle: signals.rawRoll)
      append(#","purse":"#, score: signals.rawPurse)
      append("}")
    } else {
      append(#","face":false"#)
    }
    append(#","horizontal":"#, steering: state.horizontal)
  }

  fileprivate mutating func appendEvent(_ event: TimedEvent) {
    append(#"{"type":"event","n":"#, count: event.frameIndex)
    append(#","t":"#, time: event.timestamp)
    switch event.event {
    case .tilt(let phase, let direction):
      append(#","event":"tilt","phase":"#, string: phase.rawValue)
      append(#","direction":"#, string: direction.rawValue)
    case .purse(let phase, let strength):
      append(#","event":"purse","phase":"#, string: phase.rawValue)
      if let strength { append(#","strength":"#, score: strength) }
    case .jump(let count):
      append(#","event":"jump","count":"#, count: count.held(in: StreamLimits.jumpCount))
    case .horizontal(let value):
      append(#","event":"horizontal","value":"#, steering: value)
    case .face(let presence):
      append(#","event":"face","phase":"#, string: presence.rawValue)
    case .release(let reason):
      append(#","event":"release","reason":"#, string: reason.rawValue)
    }
  }
}
