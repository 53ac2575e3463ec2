// The C queue's rules, without a server.
import CWebSockets
import Testing

@Suite("Queue")
struct QueueTests {
  private final class Queue {
    var queue = web_queue()

    deinit { web_queue_clear(&queue) }

    private func with<Outcome>(_ count: Int, _ body: (OpaquePointer) -> Outcome) -> Outcome {
      let payload = web_payload_create([], 0, [UInt8](repeating: 0, count: count), count, false)!
      defer { web_payload_release(payload) }
      return body(payload)
    }

    func message(_ key: UInt32 = 0, count: Int = 10) -> web_message_outcome {
      with(count) { web_queue_message(&queue, $0, key) }
    }

    func unit(isKeyFrame: Bool = false, count: Int = 10) -> web_unit_outcome {
      with(count) { web_queue_unit(&queue, $0, isKeyFrame) }
    }

    /// Whether something waited.
    func takeNext() -> Bool {
      let payload = web_queue_next(&queue)
      web_payload_release(payload)
      return payload != nil
    }
  }

  @Test("The newest of a key takes the older one's place; without key all wait")
  func keys() {
    let queue = Queue()
    #expect(queue.message(1) == .WEB_QUEUED)
    #expect(queue.message(0) == .WEB_QUEUED)
    #expect(queue.message(0) == .WEB_QUEUED)
    #expect(queue.message(1, count: 30) == .WEB_REPLACED)
    #expect(queue.queue.message_count == 3)
    #expect(queue.queue.message_bytes == 50)
    #expect(queue.takeNext())
    #expect(queue.message(1) == .WEB_QUEUED)
  }

  @Test("Messages are bounded in number and in bytes, and room comes back")
  func messageBounds() {
    let queue = Queue()
    for _ in 0..<WEB_MAX_MESSAGES { #expect(queue.message() == .WEB_QUEUED) }
    #expect(queue.message() == .WEB_FULL)
    #expect(queue.takeNext())
    #expect(queue.message(7) == .WEB_QUEUED)
    #expect(queue.message(7, count: 1 << 20) == .WEB_FULL)
    #expect(queue.message(7, count: 2 << 20) == .WEB_FULL)
    while queue.takeNext() {}
    #expect(queue.queue.message_bytes == 0)
    #expect(queue.message(7, count: 1 << 20) == .WEB_QUEUED)
    #expect(queue.message(7, count: 1 << 20) == .WEB_REPLACED)
  }

  @Test("Units wait only where wanted, from a key frame on")
  func firstKeyFrame() {
    let queue = Queue()
    #expect(queue.unit(isKeyFrame: true) == .WEB_UNIT_LEFT_OUT)
    web_queue_restart_video(&queue.queue, true)
    #expect(queue.unit() == .WEB_UNIT_LEFT_OUT)
    #expect(queue.unit(isKeyFrame: true) == .WEB_UNIT_QUEUED)
    #expect(queue.unit() == .WEB_UNIT_QUEUED)
  }

  @Test("A full video queue is emptied once and takes nothing before the next key frame")
  func fallingBehind() {
    let queue = Queue()
    web_queue_restart_video(&queue.queue, true)
    #expect(queue.unit(isKeyFrame: true) == .WEB_UNIT_QUEUED)
    for _ in 1..<WEB_MAX_UNITS { #expect(queue.unit() == .WEB_UNIT_QUEUED) }
    #expect(queue.unit() == .WEB_UNIT_FELL_BEHIND)
    #expect(queue.queue.unit_count == 0)
    #expect(queue.unit() == .WEB_UNIT_LEFT_OUT)
    #expect(queue.unit(isKeyFrame: true) == .WEB_UNIT_QUEUED)
    #expect(queue.queue.unit_count == 1)
  }

  @Test("A key frame finds room in a full queue: what waited is dropped for it")
  func keyFrameWhenFull() {
    let queue = Queue()
    web_queue_restart_video(&queue.queue, true)
    #expect(queue.unit(isKeyFrame: true) == .WEB_UNIT_QUEUED)
    for _ in 1..<WEB_MAX_UNITS { #expect(queue.unit() == .WEB_UNIT_QUEUED) }
    #expect(queue.unit(isKeyFrame: true) == .WEB_UNIT_QUEUED)
    #expect(queue.queue.unit_count == 1)
    #expect(queue.unit(isKeyFrame: true, count: 2 << 20) == .WEB_UNIT_FELL_BEHIND)
    #expect(queue.queue.unit_bytes == 0)
  }

  @Test("Messages go before units")
  func precedence() {
    let queue = Queue()
    web_queue_restart_video(&queue.queue, true)
    #expect(queue.unit(isKeyFrame: true) == .WEB_UNIT_QUEUED)
    #expect(queue.message() == .WEB_QUEUED)
    #expect(queue.takeNext())
    #expect(queue.queue.message_count == 0 && queue.queue.unit_count == 1)
  }
}
