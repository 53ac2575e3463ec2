// Gesture streams as CSV: writing.
import Gestures

/// Takes a stream's records in order and writes one row for each frame once its events are known, which is when the
/// next frame or the end comes.
public struct CSVWriter {
  private let output: OutputFile
  /// The last frame's row up to its events; empty before the first frame.
  private var row: [UInt8] = []
  private var tokens: [String] = []

  /// Writes the header row.
  public init(_ output: OutputFile) throws(StreamWriteError) {
    self.output = output
    try output.write(Array((CSVFormat.columns.joined(separator: ",") + "\r\n").utf8))
  }

  public mutating func write(_ record: StreamRecord) throws(StreamWriteError) {
    switch record {
    case .header: break
    case .frame(let state):
      try finishRow()
      row.appendRow(state)
    case .event(let event):
      if let token = event.event.token { tokens.append(token) }
    case .end: try finishRow()
    }
  }

  private mutating func finishRow() throws(StreamWriteError) {
    guard !row.isEmpty else { return }
    row.append(",")
    row += tokens.joined(separator: ";").utf8
    row.append("\r\n")
    try output.write(row)
    row.removeAll(keepingCapacity: true)
    tokens.removeAll()
  }
}

extension [UInt8] {
  fileprivate mutating func appendRow(_ state: GestureState) {
    append("", count: state.frameIndex)
    append(",", seconds: state.timestamp)
    if let signals = state.signals {
      append(",true,", score: signals.confidence)
      append(",", angle: signals.roll)
      append(",", angle: signals.yaw)
      append(",", angle: signals.pitch)
      append(",", score: signals.purse)
      append(",", score: signals.jawOpen)
      append(",", angle: signals.rawRoll)
      append(",", score: signals.rawPurse)
    } else {
      append(",false,,,,,,,,")
    }
    append(",", steering: state.horizontal)
  }

  private mutating func append(_ before: StaticString, seconds nanoseconds: Int64) {
    let (seconds, fraction) = nanoseconds.held(in: StreamLimits.time)
      .quotientAndRemainder(dividingBy: CSVFormat.nanosecondsPerSecond)
    append(before)
    self += String(seconds).utf8
    append(".")
    // The leading 1 keeps the zeros at the front.
    self += String(CSVFormat.nanosecondsPerSecond + fraction).utf8.dropFirst()
  }
}
