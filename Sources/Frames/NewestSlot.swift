// The hand-off between two threads: the newest value wins.
import Glibc

/// Holds at most one value, or as many as said. A producer that is faster than its consumer replaces the oldest that has
/// not been taken yet: with room for one, the consumer always works on the newest value and nothing queues up.
public final class NewestSlot<Value: Sendable>: @unchecked Sendable {
  /// What came of waiting for a value.
  public enum Taken {
    case value(Value)
    case timedOut
    /// Closed, and nothing is left to take.
    case closed
  }

  // Everything below is touched only with `mutex` held; that is what makes the class safe to share.
  /// Oldest first, each with when it came: CLOCK_MONOTONIC in nanoseconds.
  private var values: [(value: Value, arrival: Int64)] = []
  private let capacity: Int
  private var isClosed = false
  private var tally = StageMetrics()
  private let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  private let changed: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)

  public init(capacity: Int = 1) {
    precondition(capacity > 0)
    self.capacity = capacity
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Offers a value and returns whether one that nobody had taken was dropped: the older one, or this one after `close`.
  @discardableResult
  public func put(_ newest: Value) -> Bool {
    // The older value is let go after the lock: freeing it may take a while.
    var displaced: Value?
    return withLock {
      tally.framesIn += 1
      guard !isClosed else {
        tally.framesDropped += 1
        return true
      }
      if values.count == capacity { displaced = values.removeFirst().value }
      values.append((newest, MonotonicClock.now))
      if displaced != nil { tally.framesDropped += 1 }
      pthread_cond_signal(changed)
      return displaced != nil
    }
  }

  /// Waits for a value; `nil` when the slot is closed and nothing is left.
  public func take() -> Value? {
    withLock {
      while values.isEmpty && !isClosed { pthread_cond_wait(changed, mutex) }
      return removeValue()
    }
  }

  /// Waits for a value, but only until `deadline`: CLOCK_MONOTONIC in nanoseconds.
  public func take(until deadline: Int64) -> Taken {
    let late = max(deadline, 0)
    var time = timespec(tv_sec: Int(late / 1_000_000_000), tv_nsec: Int(late % 1_000_000_000))
    return withLock {
      var result: Int32 = 0
      while values.isEmpty && !isClosed && result != ETIMEDOUT {
        result = pthread_cond_timedwait(changed, mutex, &time)
      }
      if let value = removeValue() { return .value(value) }
      return isClosed ? .closed : .timedOut
    }
  }

  /// Ends the hand-off: who waits is woken, an untaken value can still be taken, later ones are dropped.
  public func close() {
    withLock {
      isClosed = true
      pthread_cond_broadcast(changed)
    }
  }

  /// Values put in, taken out and replaced before anybody took them, and how long the taken ones had waited.
  public var metrics: StageMetrics { withLock { tally } }

  private func removeValue() -> Value? {
    guard !values.isEmpty else { return nil }
    let taken = values.removeFirst()
    tally.framesOut += 1
    tally.latency.record(MonotonicClock.now - taken.arrival)
    return taken.value
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
