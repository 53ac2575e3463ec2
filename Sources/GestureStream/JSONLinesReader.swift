// Gesture streams as JSON Lines: the native format. Reading.
import Gestures

/// Reads a stream record by record, as its lines come. Keys and record types it does not know are passed over, and so
/// are events whose kind, phase, direction or reason it does not know. What follows the `end` is not read.
public struct JSONLinesReader {
  public let header: StreamHeader
  /// Whether the stream stopped without its `end`, perhaps amid a line; known once `next()` has returned `nil`.
  public private(set) var isCutShort = false
  private let input: InputFile
  private let parser = JSONLineParser()
  private var hasEnded = false
  private var lastFrameTime: Int64 = 0

  /// Reads the header, waiting for it where the input is a pipe.
  public init(_ input: InputFile) throws(StreamReadError) {
    self.input = input
    var first: StreamRecord?
    while first == nil, let line = try input.line() {
      do {
        first = try parser.record(in: line.bytes)
      } catch {
        throw input.error(error)
      }
    }
    guard case .header(let header) = first else { throw input.error(.noHeader) }
    self.header = header
  }

  /// The next frame, event or end; `nil` after the end. Once it has thrown, what follows is not worth reading.
  public mutating func next() throws(StreamReadError) -> StreamRecord? {
    while !hasEnded, let line = try input.line() {
      do {
        if let record = try record(in: line) { return record }
      } catch {
        // A line without its end is one that broke off, whatever is wrong with it.
        if line.isTerminated { throw input.error(error) }
      }
    }
    isCutShort = !hasEnded
    return nil
  }

  private mutating func record(in line: InputFile.Line) throws(StreamReadError.Cause) -> StreamRecord? {
    let record = try parser.record(in: line.bytes)
    switch record {
    case .header: throw .secondHeader
    case .frame(let state):
      guard state.timestamp >= lastFrameTime else { throw .timeRunsBackwards }
      lastFrameTime = state.timestamp
    case .end: hasEnded = true
    case .event, nil: break
    }
    return record
  }
}
