// When recorded frames are due in real time.

/// Places media time on CLOCK_MONOTONIC: a pure value, stepped once a frame.
public struct PlaybackClock: Sendable {
  /// A recording that is later than this goes on from there, in nanoseconds: 100 ms, well before frames are too old to
  /// be worth anything. So one whose process stood still is not rushed through.
  public static let allowedLateness: Int64 = 100_000_000

  private var start: Int64?

  public init() {}

  /// When the frame at `mediaTime` is due, CLOCK_MONOTONIC in nanoseconds; the first one now.
  public mutating func due(_ mediaTime: Int64, now: Int64) -> Int64 {
    if let start, now - (start + mediaTime) <= Self.allowedLateness { return start + mediaTime }
    start = now - mediaTime
    return now
  }
}
