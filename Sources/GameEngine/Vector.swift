// A point or velocity in the plane.

/// x grows to the player's right, y grows upwards; points, or points a second.
public struct Vector: Sendable, Equatable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  public static let zero = Vector(x: 0, y: 0)
}
