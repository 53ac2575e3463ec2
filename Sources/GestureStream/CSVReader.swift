// Gesture streams as CSV: reading.
import Gestures

/// Reads a stream's frames and events row by row. Columns are found by name, so their order does not matter; those it
/// does not know are passed over, and so are unknown events. Rows end in CRLF or LF; fields may be quoted.
public struct CSVReader {
  /// Whether the last row broke off in the middle; known once `next()` has returned `nil`. CSV has no end record: rows
  /// that are missing as a whole go unnoticed.
  public private(set) var isCutShort = false
  private let input: InputFile
  private let names: [String]
  private var lastFrameTime: Int64 = 0
  /// The events of the row whose frame was returned last, in reverse.
  private var pending: [StreamRecord] = []

  /// Reads the header row.
  public init(_ input: InputFile) throws(StreamReadError) {
    self.input = input
    guard let row = try input.row() else { throw input.error(.noHeader) }
    // Spreadsheets write a byte order mark.
    let bytes = row.bytes.starts(with: "\u{FEFF}".utf8) ? row.bytes.dropFirst(3) : row.bytes
    do throws(StreamReadError.Cause) {
      names = try csvFields(of: bytes)
      for column in CSVFormat.columns where !names.contains(column) { throw .missing(column) }
    } catch {
      throw input.error(error)
    }
  }

  /// The next frame, or the next event of the frame returned last, which has that frame's time; `nil` at the end. Once
  /// it has thrown, what follows is not worth reading.
  public mutating func next() throws(StreamReadError) -> StreamRecord? {
    while pending.isEmpty, let row = try input.row() {
      if row.bytes.isEmpty { continue }
      do {
        pending = try records(in: CSVFields(names: names, row: row.bytes)).reversed()
      } catch {
        // A row without its end is one that broke off, whatever is wrong with it.
        guard !row.isTerminated else { throw input.error(error) }
        isCutShort = true
      }
    }
    return pending.popLast()
  }

  private mutating func records(in fields: CSVFields) throws(StreamReadError.Cause) -> [StreamRecord] {
    let state = try GestureState(fields)
    guard state.timestamp >= lastFrameTime else { throw .timeRunsBackwards }
    lastFrameTime = state.timestamp
    let events = try fields.text("event").split(separator: ";").compactMap(InputEvent.init(token:))
    return [.frame(state)]
      + events.map { .event(TimedEvent(frameIndex: state.frameIndex, timestamp: state.timestamp, event: $0)) }
  }
}

extension GestureState {
  fileprivate init(_ fields: CSVFields) throws(StreamReadError.Cause) {
    let signals: Signals?
    switch try fields.text("face") {
    case "true": signals = try Signals(fields)
    case "false": signals = nil
    default: throw .invalid("face")
    }
    self.init(
      frameIndex: try fields.count("n"), timestamp: try fields.seconds("t"), signals: signals,
      horizontal: try fields.number("horizontal", in: StreamLimits.steering))
  }
}

extension GestureState.Signals {
  fileprivate init(_ fields: CSVFields) throws(StreamReadError.Cause) {
    self.init(
      confidence: try fields.number("confidence", in: StreamLimits.score),
      roll: try fields.number("roll", in: StreamLimits.angle),
      yaw: try fields.number("yaw", in: StreamLimits.angle),
      pitch: try fields.number("pitch", in: StreamLimits.angle),
      purse: try fields.number("purse", in: StreamLimits.score),
      jawOpen: try fields.number("jawOpen", in: StreamLimits.score),
      rawRoll: try fields.number("raw.roll", in: StreamLimits.angle),
      rawPurse: try fields.number("raw.purse", in: StreamLimits.score))
  }
}

/// A row's fields by their columns' names.
private struct CSVFields {
  private let fields: [String: String]

  init(names: [String], row: ArraySlice<UInt8>) throws(StreamReadError.Cause) {
    let values = try csvFields(of: row)
    guard values.count == names.count else { throw .wrongFieldCount }
    fields = Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })
  }

  func text(_ name: String) throws(StreamReadError.Cause) -> String {
    guard let text = fields[name] else { throw .missing(name) }
    return text
  }

  func number(_ name: String, in range: ClosedRange<Double>) throws(StreamReadError.Cause) -> Double {
    guard let number = Double(try text(name)) else { throw .invalid(name) }
    guard range.contains(number) else { throw .outOfRange(name) }
    return number
  }

  func count(_ name: String) throws(StreamReadError.Cause) -> Int {
    guard let count = Int(try text(name)) else { throw .invalid(name) }
    guard StreamLimits.count.contains(count) else { throw .outOfRange(name) }
    return count
  }

  /// Exact nanoseconds of seconds with up to nine decimals, which a `Double` would not give beyond some weeks.
  func seconds(_ name: String) throws(StreamReadError.Cause) -> Int64 {
    let parts = try text(name).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? String(parts[1]) : ""
    guard !parts[0].isEmpty, decimals.utf8.count <= CSVFormat.secondsDecimals else { throw .invalid(name) }
    let digits = parts[0] + decimals + String(repeating: "0", count: CSVFormat.secondsDecimals - decimals.utf8.count)
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { throw .invalid(name) }
    guard let nanoseconds = Int64(digits), StreamLimits.time.contains(nanoseconds) else { throw .outOfRange(name) }
    return nanoseconds
  }
}
