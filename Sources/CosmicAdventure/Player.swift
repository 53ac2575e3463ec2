// One climber: what the rules know beside the body.
import GameEngine

public struct Player: Sendable, Equatable {
  /// What one tick asks of a player.
  public struct Input: Sendable, Equatable {
    /// −1…1.
    public var steering = 0.0
    /// 1 from the ground, 2 in the air, as the jump state machine counts.
    public var jump: Int?
    /// The player wants back to the last safe platform.
    public var respawns = false
    public var quits = false

    public init() {}
  }

  /// What one tick tells the jump state machine.
  public enum Report: Sendable, Equatable {
    case landed
    case leftGround
    /// Moved to the safe platform, where it stands.
    case respawned
  }

  /// Each player has a camera and a monster: who is behind is not flooded by who is ahead.
  public internal(set) var camera: Camera
  /// The highest platform that was landed on.
  public internal(set) var safePlatform = 0
  public internal(set) var respawns = 0
  /// The tick until which the monster does nothing to the player.
  public internal(set) var graceEnd = 0
  /// The ticks of the last landing and take-off, for drawing.
  public internal(set) var landedAt = 0
  public internal(set) var jumpedAt = 0
  /// Whether the jump under way is the second.
  public internal(set) var isDoubleJumping = false
}
