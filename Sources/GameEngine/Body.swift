// Something that moves: a player.

public struct Body: Sendable, Equatable {
  /// Points.
  public let width, height: Double
  /// The middle of the lower edge: whoever stands has exactly the platform's height here.
  public var foot: Vector
  public var velocity = Vector.zero
  /// −1…1, times the top speed.
  public var steering = 0.0
  /// What it touches.
  public var touches: Category
  /// The platform it stands on; `nil` in the air.
  public internal(set) var support: Int?
  public internal(set) var contacts = Contacts()

  /// What happened to a body in a step.
  public struct Contacts: Sendable, Equatable {
    /// The platform it came down on.
    public var landed: Int?
    /// Whether it went over an edge; a jump is no news to whoever made it.
    public var leftGround = false
    public var isAtWall = false
    public var isInHazard = false
  }

  public init(width: Double, height: Double, foot: Vector, touches: Category) {
    self.width = width
    self.height = height
    self.foot = foot
    self.touches = touches
  }

  /// Takes off, also in the air, whatever its vertical speed was.
  public mutating func jump(speed: Double) {
    velocity.y = speed
    support = nil
  }
}
