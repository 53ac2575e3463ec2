// Turns a file's timestamps into media time that starts at 0 and always rises.

/// A pure value, stepped once per picture. Timestamps that rise are kept as they are, so a variable frame rate survives;
/// one that is missing, does not rise or leaps is replaced by the time the picture before it ends.
struct ClipTimeline {
  /// Longer gaps between two pictures are taken for damage: 1 hour. GIF, made for slide shows, can say 11 minutes.
  static let longestGap: Int64 = 3_600_000_000_000
  /// Media time goes no further, 73 years, so that no sum with it overflows.
  static let end: Int64 = 1 << 61
  /// How long a picture is shown where neither it nor the stream says: 40 ms, as libavformat assumes for lone images.
  static let defaultFrameDuration: Int64 = 40_000_000

  private let frameDuration: Int64
  /// The file's clock at media time 0, once a picture has told it.
  private var origin: Int64?
  /// When the picture that comes next is due if nothing else is known.
  private(set) var expected: Int64 = 0
  private var last: Int64?

  /// `frameRate` in frames a second; 0 when unknown.
  init(frameRate: Double) {
    let duration = 1e9 / frameRate
    frameDuration = duration >= 1 && duration <= Double(Self.longestGap) ? Int64(duration) : Self.defaultFrameDuration
  }

  /// The media time in nanoseconds of the next picture: `timestamp` is the file's (nil: none), `duration` is how long
  /// the picture is shown (0: unknown), both in nanoseconds.
  mutating func place(timestamp: Int64?, duration: Int64) -> Int64 {
    let time = plausible(timestamp) ?? expected
    let shown = duration > 0 && duration <= Self.longestGap ? duration : frameDuration
    expected = min(time + shown, Self.end)
    last = time
    return time
  }

  private mutating func plausible(_ timestamp: Int64?) -> Int64? {
    guard let timestamp else { return nil }
    guard let origin else {
      let (start, overflow) = timestamp.subtractingReportingOverflow(expected)
      if !overflow { origin = start }
      return overflow ? nil : expected
    }
    let (time, overflow) = timestamp.subtractingReportingOverflow(origin)
    guard !overflow, let last, time > last, time - last <= Self.longestGap, time <= Self.end else { return nil }
    return time
  }
}
