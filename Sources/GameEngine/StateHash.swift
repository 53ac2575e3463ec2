// A fingerprint of exact state.

/// FNV-1a, 64 bits (Fowler, Noll, Vo; http://www.isthe.com/chongo/tech/comp/fnv), over the little-endian bytes of every
/// value's bit pattern. It tells runs apart; it is no protection against forgery.
public struct StateHash: Sendable, Equatable {
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  public init() {}

  public mutating func combine(_ bits: UInt64) {
    var rest = bits
    for _ in 0..<8 {
      value = (value ^ (rest & 0xff)) &* 0x0000_0100_0000_01b3
      rest >>= 8
    }
  }

  public mutating func combine(_ number: Double) { combine(number.bitPattern) }

  public mutating func combine(_ number: Int) { combine(UInt64(bitPattern: Int64(number))) }

  /// Length and UTF-8.
  public mutating func combine(_ text: String) {
    combine(text.utf8.count)
    for byte in text.utf8 { combine(UInt64(byte)) }
  }

  /// Everything of a body that later steps depend on.
  public mutating func combine(_ body: Body) {
    for number in [body.foot.x, body.foot.y, body.velocity.x, body.velocity.y, body.steering] { combine(number) }
    combine(body.support ?? -1)
    combine(Int(body.touches.rawValue))
  }
}
