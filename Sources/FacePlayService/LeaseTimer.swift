// A thread of its own that keeps a deadline whatever the other stages do.
import Frames

/// Calls back when the armed time comes, from its own thread, so that a stuck camera or tracker cannot hold input.
final class LeaseTimer: Sendable {
  private let armed = NewestSlot<Int64?>()
  private let thread: WorkerThread

  /// `onDeadline` returns the next deadline, CLOCK_MONOTONIC in nanoseconds; `nil` when there is none.
  init(onDeadline: @escaping @Sendable () -> Int64?) {
    thread = WorkerThread("leases") { [armed] in
      var deadline: Int64?
      while true {
        switch armed.take(until: deadline ?? .max) {
        case .value(let newest): deadline = newest
        case .timedOut: deadline = onDeadline()
        case .closed: return
        }
      }
    }
  }

  /// Replaces the deadline.
  func arm(_ deadline: Int64?) { armed.put(deadline) }

  /// Ends the thread; must be called once.
  func stop() {
    armed.close()
    thread.join()
  }
}
