// The bridge: a player's input events in, a tick's input out, and the ground's reports back.
import GameEngine
import Gestures

/// Steps the one jump state machine at the game's ticks. The stream's own `jump` events are not for games that have
/// ground: they assume an air time.
struct Controller: Sendable, Equatable {
  struct Constants {
    /// Nanoseconds for which a purse is held to go back to the safe platform.
    static let respawnHold: Int64 = 2_500_000_000
  }

  private var jumps = JumpStateMachine()
  private var input = Player.Input()
  /// When the purse began that is still held and has not brought the player back.
  private var pursedSince: Int64?

  /// How far a held purse has come to a respawn, 0…1.
  func respawnProgress(at tick: Int) -> Double {
    guard let pursedSince else { return 0 }
    return Double(FixedStep.time(of: tick) - pursedSince) / Double(Constants.respawnHold)
  }

  mutating func take(_ event: InputEvent, at tick: Int) {
    let time = FixedStep.time(of: tick)
    switch event {
    case .horizontal(let value):
      input.steering = value
    case .purse(.begin, _):
      pursedSince = time
      jump(jumps.pursed(at: time))
    case .purse(.end, _):
      pursedSince = nil
    case .release, .face(.lost):
      input.steering = 0
      pursedSince = nil
      jumps.forgetBufferedPurse()
    case .tilt, .jump, .face(.found):
      break
    }
  }

  mutating func quit() { input.quits = true }

  /// What the game is asked for in this tick; jumps are asked for once.
  mutating func take(at tick: Int) -> Player.Input {
    if let pursedSince, FixedStep.time(of: tick) - pursedSince >= Constants.respawnHold {
      input.respawns = true
      self.pursedSince = nil
    }
    defer {
      input.jump = nil
      input.respawns = false
    }
    return input
  }

  /// What came of that tick, at the next one.
  mutating func take(_ report: Player.Report, at tick: Int) {
    let time = FixedStep.time(of: tick)
    switch report {
    case .landed: jump(jumps.landed(at: time))
    case .leftGround: jumps.leftGround(at: time)
    case .respawned:
      jumps.forgetBufferedPurse()
      jump(jumps.landed(at: time))
    }
  }

  private mutating func jump(_ count: Int?) {
    if let count { input.jump = count }
  }
}
