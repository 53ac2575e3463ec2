// When a camera's frame was taken.

/// A pure value, stepped once a frame. The driver's timestamp is taken when it can be true, else the time at which the
/// frame was taken from the driver; times always rise.
struct CameraClock {
  /// Nanoseconds a frame may be old when it is taken: the four buffers of a camera with 4 frames a second. Some
  /// cameras' own clocks run wild and are off by more.
  static let greatestAge: Int64 = 1_000_000_000

  private var last = Int64.min

  /// `driver` in nanoseconds where it is flagged as CLOCK_MONOTONIC; `now` is CLOCK_MONOTONIC.
  mutating func time(driver: Int64?, now: Int64) -> Int64 {
    let time = driver.flatMap { isPlausible($0, now) ? $0 : nil } ?? max(now, last + 1)
    last = time
    return time
  }

  private func isPlausible(_ driver: Int64, _ now: Int64) -> Bool {
    driver > max(last, 0) && driver <= now && now - driver <= Self.greatestAge
  }
}

/// Counts frames that the driver numbered but never handed over.
struct CameraSequence {
  /// A greater step is a driver that numbers afresh.
  private static let greatestGap: UInt32 = 1000

  private var last: UInt32?

  /// How many are missing before the frame with this number.
  mutating func missing(before sequence: UInt32) -> Int {
    defer { last = sequence }
    guard let last else { return 0 }
    let step = sequence &- last
    return (1...Self.greatestGap).contains(step) ? Int(step) - 1 : 0
  }
}
