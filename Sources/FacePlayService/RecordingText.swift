// The gesture stream's lines on their way into a recording's text track.
import GestureStream

/// Gathers lines until the next picture takes them.
struct RecordingText {
  /// The stream's first line: each file begins with it.
  private(set) var header: [UInt8] = []
  private var lines: [[UInt8]] = []

  /// Bytes of a text sample: its length is written in two bytes.
  static let longestSample = 65_535

  mutating func add(_ record: StreamRecord) {
    // Only a header with a number that is not finite has no line, and that one has no file either.
    guard let line = try? record.jsonLine() else { return }
    if case .header = record { header = line } else { lines.append(line) }
  }

  /// The lines so far, as few texts as they fit in; usually one, and none when nothing was told.
  mutating func take() -> [[UInt8]] {
    defer { lines.removeAll(keepingCapacity: true) }
    return lines.reduce(into: []) { texts, line in
      if let last = texts.last, last.count + line.count <= Self.longestSample {
        texts[texts.count - 1] += line
      } else {
        texts.append(line)
      }
    }
  }
}
