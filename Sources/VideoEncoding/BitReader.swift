// Bits of a parameter set, never beyond its end.

/// Reads the syntax elements of ITU-T H.264, 7.2 and 9.1, from a payload without emulation bytes.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func flag() throws(H264Error) -> Bool { try bits(1) == 1 }

  /// u(n), at most 32 bits. Throws `truncated`.
  mutating func bits(_ count: Int) throws(H264Error) -> UInt32 {
    precondition((0...32).contains(count))
    guard position + count <= bytes.count * 8 else { throw .truncated }
    var value: UInt32 = 0
    for _ in 0..<count {
      value = value << 1 | UInt32(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
      position += 1
    }
    return value
  }

  /// ue(v), no greater than `maximum`. Throws `truncated`, and `invalid` with the element's `name`.
  mutating func unsigned(_ name: String, upTo maximum: UInt32) throws(H264Error) -> UInt32 {
    var zeros = 0
    while try !flag() {
      zeros += 1
      guard zeros < 32 else { throw .invalid(name) }
    }
    // At most 2^32 − 2: 31 bits after 31 zeros.
    let value = UInt32(1) << UInt32(zeros) - 1 + (try bits(zeros))
    guard value <= maximum else { throw .invalid(name) }
    return value
  }

  /// se(v), of any value that 31 bits and a sign can hold. Throws as `unsigned`.
  mutating func signed(_ name: String) throws(H264Error) -> Int64 {
    let code = Int64(try unsigned(name, upTo: .max))
    return code % 2 == 1 ? (code + 1) / 2 : -(code / 2)
  }
}
