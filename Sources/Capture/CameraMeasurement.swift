// What a camera really delivers.

/// A pure value: fed the times of the frames that came.
public struct CameraMeasurement: Sendable {
  /// Nanoseconds.
  private var first: Int64?
  private var last: Int64 = 0
  private var intervals: [Int64] = []

  public init() {}

  /// Takes a frame's time in nanoseconds; times rise.
  public mutating func add(_ time: Int64) {
    if first == nil { first = time } else { intervals.append(time - last) }
    last = time
  }

  public var frames: Int { first == nil ? 0 : intervals.count + 1 }

  /// Frames a second between the first frame and the last; 0 before the second.
  public var rate: Double {
    guard let first, last > first else { return 0 }
    return Double(intervals.count) * 1e9 / Double(last - first)
  }

  /// Nanoseconds by which 95 of 100 intervals differ from the mean at most; `nil` before the second frame.
  public var jitter: Int64? {
    guard !intervals.isEmpty else { return nil }
    let mean = intervals.reduce(0, +) / Int64(intervals.count)
    let sorted = intervals.map { abs($0 - mean) }.sorted()
    return sorted[(sorted.count * 95 + 99) / 100 - 1]
  }
}
