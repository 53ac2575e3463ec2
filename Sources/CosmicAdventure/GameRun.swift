// A game being played by input events, and the record of it.
import GameEngine
import Gestures

/// The game, its players' controllers and what they heard: a pure value, stepped by whoever paces it.
public struct GameRun: Sendable, Equatable {
  public private(set) var game: Game
  /// What was heard, in order, with the tick that heard it.
  public private(set) var inputs: [RunInput] = []
  /// Of every tick's state, in order.
  private var hash = StateHash()
  private var controllers: [Controller]

  public init(level: Level, players: Int = 1) {
    game = Game(level: level, players: players)
    controllers = [Controller](repeating: Controller(), count: players)
  }

  /// How far a held purse has come to bringing the player back, 0…1.
  public func respawnProgress(of player: Int = 0) -> Double { controllers[player].respawnProgress(at: game.tick) }

  /// Hears an event before the next tick.
  public mutating func take(_ event: InputEvent, player: Int = 0) {
    guard game.outcome == nil, let action = RunInput.Action(event) else { return }
    take(RunInput(tick: game.tick, player: player, action: action))
  }

  /// The player gives up in the next tick.
  public mutating func quit(player: Int = 0) {
    guard game.outcome == nil else { return }
    take(RunInput(tick: game.tick, player: player, action: .quit))
  }

  /// The player wants back to the safe platform in the next tick.
  public mutating func respawn(player: Int = 0) {
    guard game.outcome == nil else { return }
    take(RunInput(tick: game.tick, player: player, action: .respawn))
  }

  mutating func take(_ input: RunInput) {
    // Of steering in one tick only the last counts: a game that stands still hears a lot of it.
    if case .steer = input.action, let last = inputs.last, case .steer = last.action, last.tick == input.tick,
      last.player == input.player
    {
      inputs.removeLast()
    }
    inputs.append(input)
    switch input.action {
    case .respawn: controllers[input.player].respawn()
    case .quit: controllers[input.player].quit()
    case .steer, .purse, .relax, .release: controllers[input.player].take(input.action.event!, at: game.tick)
    }
  }

  /// Plays one tick; does nothing when the game is over.
  public mutating func step() {
    guard game.outcome == nil else { return }
    let tick = game.tick
    let reports = game.step(controllers.indices.map { controllers[$0].take(at: tick) })
    for (index, report) in reports.enumerated() {
      if let report { controllers[index].take(report, at: game.tick) }
    }
    hash.combine(game)
  }

  public var record: RunRecord {
    RunRecord(
      schema: RunRecord.Constants.schema, game: Game.Constants.version, level: game.level.name,
      levelHash: hexadecimal(game.level.contentHash), players: game.players.count, inputs: inputs, ticks: game.tick,
      hash: hexadecimal(hash.value))
  }
}

/// 16 digits.
func hexadecimal(_ value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
