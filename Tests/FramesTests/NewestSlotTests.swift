// The hand-off between two threads.
import Foundation
import Frames
import Testing

@Suite("Newest slot", .timeLimit(.minutes(1)))
struct NewestSlotTests {
  @Test("What was put is taken once")
  func once() {
    let slot = NewestSlot<Int>()
    #expect(slot.put(7) == false)
    #expect(slot.take() == 7)
    guard case .timedOut = slot.take(until: MonotonicClock.now) else {
      Issue.record("taken twice")
      return
    }
  }

  @Test("A newer value replaces the older one, which counts as dropped")
  func newestWins() {
    let slot = NewestSlot<Int>()
    #expect(slot.put(1) == false)
    #expect(slot.put(2) == true)
    #expect(slot.put(3) == true)
    #expect(slot.take() == 3)
    #expect(slot.metrics.framesIn == 3)
    #expect(slot.metrics.framesOut == 1)
    #expect(slot.metrics.framesDropped == 2)
    #expect(slot.metrics.latency.count == 1)
  }

  @Test("With room for more, values are taken in their order and the oldest makes way")
  func capacity() {
    let slot = NewestSlot<Int>(capacity: 3)
    for value in 1...4 { #expect(slot.put(value) == (value == 4)) }
    #expect([slot.take(), slot.take(), slot.take()] == [2, 3, 4])
    #expect(slot.metrics.framesDropped == 1 && slot.metrics.framesOut == 3)
  }

  @Test("After closing, the last value can be taken, then there is none")
  func close() {
    let slot = NewestSlot<Int>()
    slot.put(1)
    slot.close()
    #expect(slot.put(2) == true)
    #expect(slot.take() == 1)
    #expect(slot.take() == nil)
    guard case .closed = slot.take(until: .max) else {
      Issue.record("a closed slot was waited for")
      return
    }
  }

  @Test("A deadline in the past does not wait, and a value already there is taken", arguments: [Int64.min, -1, 0, 1])
  func deadlinePassed(deadline: Int64) {
    let slot = NewestSlot<Int>()
    guard case .timedOut = slot.take(until: deadline) else {
      Issue.record("took a value from an empty slot")
      return
    }
    slot.put(5)
    guard case .value(5) = slot.take(until: deadline) else {
      Issue.record("left a value that was there")
      return
    }
  }

  @Test("A waiting thread does not wake before its deadline")
  func notEarly() {
    let slot = NewestSlot<Int>()
    let deadline = MonotonicClock.now + 20_000_000
    guard case .timedOut = slot.take(until: deadline) else {
      Issue.record("took a value from an empty slot")
      return
    }
    #expect(MonotonicClock.now >= deadline)
  }

  @Test("Closing wakes whoever waits")
  func closeWakes() async {
    let slot = NewestSlot<Int>()
    let waiting = onThread { slot.take() }
    slot.close()
    #expect(await waiting.value == nil)
  }

  @Test("Between two threads values arrive in order, the last one always, and every one is taken or counted as dropped")
  func twoThreads() async {
    let slot = NewestSlot<Int>()
    let consumer = onThread {
      var taken: [Int] = []
      while let value = slot.take() { taken.append(value) }
      return taken
    }
    let producer = onThread { () -> Int in
      var displaced = 0
      for value in 0..<20_000 where slot.put(value) { displaced += 1 }
      slot.close()
      return displaced
    }
    let (taken, displaced) = (await consumer.value, await producer.value)
    #expect(taken.last == 19_999)
    #expect(zip(taken, taken.dropFirst()).allSatisfy { $0 < $1 })
    #expect(taken.count + displaced == 20_000)
    #expect(slot.metrics.framesOut == taken.count)
    #expect(slot.metrics.framesDropped == displaced)
  }

  @Test("A displaced value is let go at once")
  func displacedIsFreed() {
    final class Token: Sendable {}
    let slot = NewestSlot<Token>()
    weak var first: Token?
    do {
      let token = Token()
      first = token
      slot.put(token)
    }
    #expect(first != nil)
    slot.put(Token())
    #expect(first == nil)
  }
}

/// Runs `body`, which may block, on a thread of its own rather than on one that tests share.
private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Task<Result, Never> {
  Task.detached {
    await withCheckedContinuation { done in Thread.detachNewThread { done.resume(returning: body()) } }
  }
}
