// The gesture stream's lines on their way into a recording.
import GestureStream

/// Gathers lines until the next picture takes them.
struct RecordingText {
  private(set) var told = ClipExport.Summary()
  private var lines: [[UInt8]] = []
  /// Numbers of the first and the last frame told.
  private var numbers: ClosedRange<Int>?
  private var hasEnded = false

  /// Bytes of a text sample: its length is written in two bytes.
  static let longestSample = 65_535

  /// Takes what comes after the header.
  mutating func add(_ record: StreamRecord) {
    // Nothing but a header can fail to be encoded.
    guard !hasEnded, let line = try? record.jsonLine() else { return }
    lines.append(line)
    told.add(record)
    switch record {
    case .frame(let frame):
      let first = numbers?.lowerBound ?? frame.frameIndex
      numbers = first...max(first, frame.frameIndex)
    case .end: hasEnded = true
    case .header, .event: break
    }
  }

  /// Adds the end that a session which goes on after the recording does not tell.
  mutating func end() {
    let dropped = (numbers?.count ?? 0) - told.frames
    add(.end(StreamEnd(frames: told.frames, dropped: max(dropped, 0), events: told.events)))
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
