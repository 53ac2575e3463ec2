// How long things took, as counts in logarithmic buckets.

/// Counts of durations from 1 µs to 69 s, 16 buckets to each doubling; shorter and longer ones count in the first and
/// last bucket. A percentile is never below the true one and at most 6.25 % above it.
public struct LatencyHistogram: Sendable, Equatable {
  /// 2^10 ns: durations below share the first bucket.
  private static let firstOctave = 10
  /// 2^36 ns: durations from here on share the last bucket.
  private static let endOctave = 36
  /// log2 of the buckets in an octave.
  private static let resolution = 4

  private var buckets = [Int](repeating: 0, count: (endOctave - firstOctave) << resolution)
  public private(set) var count = 0
  /// Nanoseconds; 0 while nothing has been recorded.
  public private(set) var maximum: Int64 = 0

  public init() {}

  /// Adds one duration in nanoseconds; a negative one counts as 0.
  public mutating func record(_ nanoseconds: Int64) {
    buckets[Self.bucket(of: nanoseconds)] += 1
    count += 1
    maximum = max(maximum, nanoseconds)
  }

  /// The duration in nanoseconds that `fraction` (0…1) of the recorded ones do not exceed, rounded up to its bucket's
  /// end; `nil` while nothing has been recorded.
  public func percentile(_ fraction: Double) -> Int64? {
    guard count > 0 else { return nil }
    let rank = max(1, Int((min(max(fraction, 0), 1) * Double(count)).rounded(.up)))
    var seen = 0
    for (bucket, entries) in buckets.enumerated() {
      seen += entries
      if seen >= rank { return min(Self.end(of: bucket), maximum) }
    }
    return maximum
  }

  /// Half of the recorded durations are no longer than this; nanoseconds.
  public var p50: Int64? { percentile(0.50) }
  /// 95 of 100 recorded durations are no longer than this; nanoseconds.
  public var p95: Int64? { percentile(0.95) }

  /// Each octave is cut into `1 << resolution` buckets of equal width.
  private static func bucket(of nanoseconds: Int64) -> Int {
    let value = min(max(nanoseconds, 1 << firstOctave), 1 << endOctave - 1)
    let octave = Int64.bitWidth - 1 - value.leadingZeroBitCount
    let within = Int(value >> Int64(octave - resolution)) & (1 << resolution - 1)
    return (octave - firstOctave) << resolution | within
  }

  /// The longest duration in the bucket; the last bucket has none.
  private static func end(of bucket: Int) -> Int64 {
    let octave = bucket >> resolution + firstOctave
    let within = bucket & (1 << resolution - 1)
    guard bucket < (endOctave - firstOctave) << resolution - 1 else { return .max }
    return (Int64(1 << resolution + within + 1) << Int64(octave - resolution)) - 1
  }
}
