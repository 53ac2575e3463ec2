// A run that has ended, in a line.
import CosmicAdventure

extension GameRun {
  var text: String {
    let verdict =
      switch game.outcome?.verdicts[0] {
      case .success, .win: "reached the ship"
      case .fail: "ran out of time"
      case .lose: "lost"
      case .draw: "draw"
      case .quit, nil: "given up"
      }
    return "\(game.level.name): \(verdict) after \(GameView.seconds(game.tick)), "
      + "platform \(game.players[0].safePlatform) of \(game.level.goal), hash \(record.hash)"
  }
}
