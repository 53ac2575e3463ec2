// What was found wrong with a clip that was read all the same.

public struct ClipDamage: Sendable, Equatable {
  /// A clip that ends this much before its stated end, nanoseconds, has been cut short; less is how files round.
  static let tolerance: Int64 = 500_000_000

  /// Damaged packets and pictures, whether left out or patched up by the decoder.
  public let places: Int
  /// Nanoseconds: where the last picture ends.
  public let reached: Int64
  /// Nanoseconds: where the file says that it ends, if that is further.
  public let promised: Int64?

  /// `nil` for a clip that is whole. `promised` is 0 when the file does not say.
  init?(places: Int, reached: Int64, promised: Int64) {
    let isCutShort = promised > 0 && promised - reached > Self.tolerance
    guard places > 0 || isCutShort else { return nil }
    self.places = places
    self.reached = reached
    self.promised = isCutShort ? promised : nil
  }
}

extension ClipDamage: CustomStringConvertible {
  public var description: String {
    func tenths(_ nanoseconds: Int64) -> String {
      let tenths = nanoseconds / 100_000_000
      return "\(tenths / 10).\(tenths % 10) s"
    }
    let damaged = places == 0 ? [] : ["damaged in \(places) \(places == 1 ? "place" : "places")"]
    let cut = promised.map { ["cut short at \(tenths(reached)) of \(tenths($0))"] } ?? []
    return (damaged + cut).joined(separator: " and ")
  }
}
