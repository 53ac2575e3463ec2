// A gesture stream played back in time.
import Frames
import GestureStream
import Gestures

/// Tells a stream's records when they were due, as they were told when it was made.
public final class StreamReplay: Sendable {
  private let path: String
  /// Only ever closed: waiting on it until a record is due is a sleep that `stop()` ends.
  private let stopped = NewestSlot<Never>()

  public init(path: String) {
    self.path = path
  }

  /// Tells each record at its time, from the first one's on, until the stream ends or `stop()` is called. Returns
  /// whether the stream was cut short. Throws `StreamReadError` and what `tell` throws.
  public func run(_ tell: (StreamRecord) throws -> Void) throws -> Bool {
    var reader = try StreamReader(path: path)
    if let header = reader.header { try tell(.header(header)) }
    let start = MonotonicClock.now
    while let record = try reader.next() {
      if let time = record.timestamp, case .closed = stopped.take(until: start + time) { return false }
      try tell(record)
    }
    return reader.isCutShort
  }

  public func stop() { stopped.close() }
}

/// Either of the stream's file formats.
private enum StreamReader {
  case jsonl(JSONLinesReader)
  case csv(CSVReader)

  /// `.csv` is a table; all else is read as JSON Lines.
  init(path: String) throws(StreamReadError) {
    let input = try InputFile(path: path)
    self = path.lowercased().hasSuffix(".csv") ? .csv(try CSVReader(input)) : .jsonl(try JSONLinesReader(input))
  }

  var header: StreamHeader? {
    if case .jsonl(let reader) = self { reader.header } else { nil }
  }

  var isCutShort: Bool {
    switch self {
    case .jsonl(let reader): reader.isCutShort
    case .csv(let reader): reader.isCutShort
    }
  }

  mutating func next() throws(StreamReadError) -> StreamRecord? {
    switch self {
    case .jsonl(var reader):
      defer { self = .jsonl(reader) }
      return try reader.next()
    case .csv(var reader):
      defer { self = .csv(reader) }
      return try reader.next()
    }
  }
}

extension StreamRecord {
  /// Nanoseconds from the stream's start; `nil` for its ends.
  fileprivate var timestamp: Int64? {
    switch self {
    case .frame(let frame): frame.timestamp
    case .event(let event): event.timestamp
    case .header, .end: nil
    }
  }
}
