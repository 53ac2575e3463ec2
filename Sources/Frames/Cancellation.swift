// A switch that any thread can throw and that a waiting thread notices at once.
import Glibc
import Synchronization

/// Stays cancelled once it is. Backed by a pipe, so that it can be waited for together with a device or a file.
public final class Cancellation: Sendable {
  /// Reports a hang-up once cancelled: for `poll`.
  public let fileDescriptor: Int32
  /// The pipe's other end; closed, and -1, once cancelled.
  private let writeEnd: Atomic<Int32>

  public init() {
    var ends: [Int32] = [-1, -1]
    // Only a process without file descriptors left gets here; it could open nothing that there is to wait for.
    precondition(pipe(&ends) == 0, "no pipe can be opened: \(String(cString: strerror(errno)))")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    fileDescriptor = ends[0]
    writeEnd = Atomic(ends[1])
  }

  deinit {
    cancel()
    close(fileDescriptor)
  }

  public var isCancelled: Bool { writeEnd.load(ordering: .acquiring) < 0 }

  public func cancel() {
    let end = writeEnd.exchange(-1, ordering: .acquiringAndReleasing)
    if end >= 0 { close(end) }
  }

  /// Waits until `deadline`, CLOCK_MONOTONIC in nanoseconds, or until cancelled, and returns whether it was cancelled.
  public func sleep(until deadline: Int64) -> Bool {
    while !isCancelled {
      let remaining = deadline - MonotonicClock.now
      guard remaining > 0 else { return false }
      // poll counts in milliseconds; what is left of the last one is too short to need interrupting.
      if remaining >= 1_000_000 {
        var hangUp = pollfd(fd: fileDescriptor, events: 0, revents: 0)
        poll(&hangUp, 1, Int32(clamping: remaining / 1_000_000))
      } else {
        var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
      }
    }
    return true
  }

  /// Waits until `file` is ready for `events` (`POLLIN`, `POLLOUT`) or has failed, and returns whether it is. Once
  /// cancelled it waits no longer than `grace` milliseconds.
  public func wait(for events: Int32, of file: Int32, grace: Int32 = 0) -> Bool {
    var ready = [
      pollfd(fd: file, events: Int16(events), revents: 0), pollfd(fd: fileDescriptor, events: 0, revents: 0),
    ]
    while !isCancelled {
      if poll(&ready, 2, -1) > 0, ready[0].revents != 0 { return true }
    }
    return poll(&ready, 1, grace) > 0
  }
}
