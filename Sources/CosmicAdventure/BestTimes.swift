// The fastest successes, by level.

public struct BestTimes: Sendable, Equatable, Codable {
  /// Ticks by the level's content hash: a level that was changed is another level.
  private var ticks: [String: Int] = [:]

  public init() {}

  /// Ticks; see `FixedStep`.
  public subscript(level: Level) -> Int? { ticks[hexadecimal(level.contentHash)] }

  /// Takes a finished game; returns whether it is the best now.
  @discardableResult
  public mutating func add(_ game: Game, player: Int = 0) -> Bool {
    guard let outcome = game.outcome, [.success, .win].contains(outcome.verdicts[player]), outcome.reason == .finish
    else { return false }
    let key = hexadecimal(game.level.contentHash)
    guard ticks[key].map({ outcome.tick < $0 }) ?? true else { return false }
    ticks[key] = outcome.tick
    return true
  }

  /// The better of both, level by level.
  public mutating func merge(_ others: BestTimes) { ticks.merge(others.ticks) { min($0, $1) } }
}
