// A token bucket: how much may come, on average and at once.

/// A pure value: time is passed in, CLOCK_MONOTONIC in nanoseconds.
struct RateLimit {
  /// What may come in a second; twice that at once.
  let perSecond: Double
  private var level: Double
  private var last: Int64?

  init(perSecond: Double) {
    self.perSecond = perSecond
    level = perSecond * 2
  }

  /// Whether `amount` is still within the limit.
  mutating func take(_ amount: Double, at now: Int64) -> Bool {
    let elapsed = Double(max(now - (last ?? now), 0)) / 1e9
    last = now
    level = min(level + elapsed * perSecond, perSecond * 2) - amount
    return level >= 0
  }
}
