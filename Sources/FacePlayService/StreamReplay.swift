// A gesture stream played back in time.
import Frames
import GestureStream
import Gestures

/// Tells a stream's records when they were due, as they were told when it was made.
public final class StreamReplay: Sendable {
  /// How a replay came to its end.
  public enum Ending: Sendable {
    case whole
    /// The stream has no end of its own, and none was told.
    case cutShort
    /// By `stop()`.
    case stopped
  }

  private let path: String
  private let cancellation = Cancellation()

  public init(path: String) {
    self.path = path
  }

  /// Tells each record at its time, from the first one's on, until the stream ends or `stop()` is called. What is held
  /// then is let go. Throws `StreamReadError` and what `tell` throws.
  public func run(_ tell: (StreamRecord) throws -> Void) throws -> Ending {
    var reader: StreamReader
    do {
      reader = try StreamReader(path: path, cancellation)
    } catch {
      if cancellation.isCancelled { return .stopped }
      throw error
    }
    if let header = reader.header { try tell(.header(header)) }
    var told = Told(start: MonotonicClock.now)
    do {
      while let record = try reader.next() {
        if let time = record.timestamp, cancellation.sleep(until: told.start + time) { break }
        told.add(record)
        try tell(record)
      }
    } catch let error as StreamReadError {
      for record in told.letGo(.stalled) { try tell(record) }
      throw error
    }
    guard cancellation.isCancelled || reader.isCutShort else { return .whole }
    for record in told.letGo(cancellation.isCancelled ? .exit : .stalled) { try tell(record) }
    guard cancellation.isCancelled else { return .cutShort }
    try tell(.end(told.end))
    return .stopped
  }

  public func stop() { cancellation.cancel() }

  /// What the records told so far leave held and counted.
  private struct Told {
    /// CLOCK_MONOTONIC at the stream's start.
    let start: Int64
    private var held = HeldInput()
    private var lastFrame = 0
    private(set) var end = StreamEnd(frames: 0, dropped: 0, events: 0)

    init(start: Int64) { self.start = start }

    mutating func add(_ record: StreamRecord) {
      switch record {
      case .frame(let frame):
        lastFrame = frame.frameIndex
        end = StreamEnd(frames: end.frames + 1, dropped: 0, events: end.events)
      case .event(let event):
        held.add(event.event)
        end = StreamEnd(frames: end.frames, dropped: 0, events: end.events + 1)
      case .header, .end: break
      }
    }

    /// Events of now.
    mutating func letGo(_ reason: ReleaseReason) -> [StreamRecord] {
      let time = MonotonicClock.now - start
      let records = held.letGo(reason).map {
        StreamRecord.event(TimedEvent(frameIndex: lastFrame, timestamp: time, event: $0))
      }
      for record in records { add(record) }
      return records
    }
  }
}

/// Either of the stream's file formats.
private enum StreamReader {
  case jsonl(JSONLinesReader)
  case csv(CSVReader)

  /// `.csv` is a table; all else is read as JSON Lines.
  init(path: String, _ cancellation: Cancellation) throws(StreamReadError) {
    let input = try InputFile(path: path, cancellation: cancellation)
    self = ExportFormat(path: path) == .csv ? .csv(try CSVReader(input)) : .jsonl(try JSONLinesReader(input))
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
