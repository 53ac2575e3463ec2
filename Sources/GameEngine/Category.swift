// What can touch what.

/// Bits that platforms, walls and hazards carry, and that each body names for itself: one player may stand where another
/// falls through, and a hazard may be after one player alone.
public struct Category: OptionSet, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let ground = Category(rawValue: 1)
  public static let wall = Category(rawValue: 2)

  /// The hazard that is after the player of this number, 0…13.
  public static func hazard(of player: Int) -> Category { Category(rawValue: 4 << UInt16(player)) }
}
