// Jumps from purses: one from the ground, a second in the air, none more until landing.

/// The only place where jump rules live. Step it with purse onsets and with what the ground says; it answers with the
/// jump to make: 1 from the ground, 2 in the air. The settings are gates: they only take jumps away.
public struct JumpStateMachine: Sendable, Equatable {
  public struct Constants {
    /// Nanoseconds for which a purse just before landing is kept and jumps on landing (common in platform games).
    public static let jumpBuffer: Int64 = 100_000_000
    /// Nanoseconds after walking off an edge in which a purse still counts as from the ground (as above).
    public static let coyoteTime: Int64 = 100_000_000
  }

  private enum State: Equatable {
    case grounded
    /// Walked or fell off at this time without a jump.
    case falling(since: Int64)
    case jumped
    case doubleJumped
  }

  /// May change at any time.
  public var settings: JumpSettings
  private var state = State.grounded
  private var buffered: Int64?
  private var lastJump: Int64?

  public init(settings: JumpSettings = JumpSettings()) {
    self.settings = settings
  }

  /// Whether a landing may make a jump by itself: a purse waits in the buffer.
  public var hasBufferedPurse: Bool { buffered != nil }

  /// Drops a purse that waits for landing: no jump may follow once the player's face is gone.
  public mutating func forgetBufferedPurse() { buffered = nil }

  /// A purse began; the jump it makes, if any.
  public mutating func pursed(at time: Int64) -> Int? {
    if let lastJump, Double(time - lastJump) < settings.interval * 1e9 { return nil }
    let count = nextJump(at: time)
    switch count {
    case 1: state = .jumped
    case 2: state = .doubleJumped
    default: buffered = time
    }
    if count != nil { lastJump = time }
    return count
  }

  /// The jump that the ground allows.
  private func nextJump(at time: Int64) -> Int? {
    let inAir = settings.allowsDouble ? 2 : nil
    switch state {
    case .grounded: return 1
    case .falling(let since): return time - since <= Constants.coyoteTime ? 1 : inAir
    case .jumped: return inAir
    case .doubleJumped: return nil
    }
  }

  /// The player stands on ground again; the jump a buffered purse makes, if any.
  public mutating func landed(at time: Int64) -> Int? {
    state = .grounded
    guard let pursedAt = buffered else { return nil }
    buffered = nil
    return time - pursedAt <= Constants.jumpBuffer ? pursed(at: time) : nil
  }

  /// The player left the ground; nothing changes when a jump did it.
  public mutating func leftGround(at time: Int64) {
    if state == .grounded { state = .falling(since: time) }
  }
}
