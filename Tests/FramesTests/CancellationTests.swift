// Waiting that can be called off.
import Frames
import Glibc
import Testing

@Suite("Cancellation")
struct CancellationTests {
  private let cancellation = Cancellation()

  @Test("A sleep ends at its time, and one that was called off at once")
  func sleep() {
    #expect(!cancellation.sleep(until: MonotonicClock.now + 1_000_000))
    cancellation.cancel()
    #expect(cancellation.sleep(until: .max))
    #expect(cancellation.isCancelled)
  }

  @Test("Cancelling wakes who sleeps or waits for a file, from another thread")
  func wakes() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let canceller = Canceller(cancellation)
    defer { canceller.join() }
    #expect(!cancellation.wait(for: POLLIN, of: ends[0]))
    #expect(cancellation.sleep(until: .max))
  }

  @Test("A file that is ready is so before and after cancelling; one that has failed is ready to say so")
  func ready() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    #expect(cancellation.wait(for: POLLOUT, of: ends[1]))
    cancellation.cancel()
    #expect(cancellation.wait(for: POLLOUT, of: ends[1]))
    #expect(!cancellation.wait(for: POLLIN, of: ends[0]))
    close(ends[1])
    #expect(cancellation.wait(for: POLLIN, of: ends[0]))
    close(ends[0])
  }
}

/// A thread that cancels.
private struct Canceller {
  private var thread = pthread_t()

  init(_ cancellation: Cancellation) {
    let context = Unmanaged.passRetained(cancellation).toOpaque()
    pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Cancellation>.fromOpaque(context!).takeRetainedValue().cancel()
        return nil
      }, context)
  }

  func join() { pthread_join(thread, nil) }
}
