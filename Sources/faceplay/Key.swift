// The keys that tune a live session, and the bytes a terminal sends for them.

enum Key: Sendable, Equatable {
  case tiltLess, tiltMore, purseLess, purseMore
  case recentre, pause, save
  /// In a calibration: the step once more, or without it.
  case again, skip
}

/// Reads keys from a terminal's bytes, whichever way they are cut.
struct KeyReader {
  /// An escape sequence that has begun (ECMA-48 CSI, or SS3 as terminals in application mode send arrows).
  private var sequence: [UInt8] = []

  private static let escape = UInt8(ascii: "\u{1B}")
  private static let introducers: Set<UInt8> = [UInt8(ascii: "["), UInt8(ascii: "O")]

  /// The keys whose last byte this is among; other bytes are passed over.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] { bytes.compactMap { key($0) } }

  private mutating func key(_ byte: UInt8) -> Key? {
    switch sequence.count {
    case 0 where byte != Self.escape: return Self.plain[byte]
    case 0: sequence = [byte]
    case 1:
      sequence = Self.introducers.contains(byte) ? sequence + [byte] : (byte == Self.escape ? [byte] : [])
    default:
      // Parameters come before a sequence's last byte: ESC [ 1 ; 5 C is an arrow with Control.
      guard byte >= 0x40 else { break }
      sequence = []
      return Self.arrows[byte]
    }
    return nil
  }

  private static let plain: [UInt8: Key] = [
    UInt8(ascii: "c"): .recentre, UInt8(ascii: " "): .pause, UInt8(ascii: "s"): .save,
    UInt8(ascii: "r"): .again, UInt8(ascii: "n"): .skip,
  ]
  private static let arrows: [UInt8: Key] = [
    UInt8(ascii: "A"): .purseMore, UInt8(ascii: "B"): .purseLess, UInt8(ascii: "C"): .tiltMore,
    UInt8(ascii: "D"): .tiltLess,
  ]
}
