// The pieces of one page's messages, put together within the limits.

/// A pure value: time is passed in, CLOCK_MONOTONIC in nanoseconds.
struct MessageAssembly {
  private let largest: Int
  private var messages: RateLimit
  private var bytes: RateLimit
  private var text: [UInt8] = []

  init(_ limits: WebLimits) {
    largest = limits.messageBytes
    messages = RateLimit(perSecond: limits.messagesPerSecond)
    bytes = RateLimit(perSecond: limits.bytesPerSecond)
  }

  /// The message that this piece completes, or `nil` while more is to come. Throws why the page must go.
  mutating func add(
    _ piece: UnsafeRawBufferPointer, isBinary: Bool, isFinal: Bool, at now: Int64
  ) throws(Refusal) -> String? {
    if isBinary { throw .binary }
    // Counted before sizes, so that many empty pieces are a flood too.
    guard messages.take(1, at: now), bytes.take(Double(piece.count), at: now) else { throw .flood }
    guard piece.count <= largest - text.count else { throw .tooLarge }
    text += piece
    guard isFinal else { return nil }
    defer { text.removeAll(keepingCapacity: true) }
    guard let message = String(validating: text, as: UTF8.self) else { throw .notUTF8 }
    return message
  }
}
