// Level after level, played by face alone: a pure value on events and time.
import GameEngine
import Gestures

public struct Playthrough: Sendable {
  public let levels: [Level]
  public private(set) var levelIndex: Int
  public private(set) var flow = GameFlow()
  /// The seam for profiles: begins with what the player's profile holds and is what it should hold after.
  public var bestTimes = BestTimes()
  /// Whether the run that has just ended is the fastest on its level.
  public private(set) var isBest = false
  private var paced: PacedRun

  public init(levels: [Level], startingWith index: Int) {
    self.levels = levels
    levelIndex = index
    paced = PacedRun(level: levels[index])
  }

  public var run: GameRun { paced.run }

  public var nextLevel: Level { levels[(levelIndex + 1) % levels.count] }

  /// When there is something to do next, nanoseconds; `nil` while nothing but events changes anything.
  public var due: Int64? {
    if case .countdown(let end) = flow.phase { return end }
    return paced.due
  }

  public mutating func take(_ event: InputEvent, at time: Int64) {
    flow.take(event, at: time)
    paced.take(event, isPlaying: flow.phase == .playing)
  }

  /// Plays what is due by `time`; the run that has ended by it.
  public mutating func advance(to time: Int64) -> GameRun? {
    if let choice = flow.advance(to: time) { begin(choice) }
    guard paced.advance(to: time, isPlaying: flow.phase == .playing) else { return nil }
    isBest = bestTimes.add(run.game)
    flow.finish(at: time)
    return run
  }

  /// Gives up the run that is under way, if there is one.
  public mutating func quit() -> GameRun? {
    guard run.game.outcome == nil, run.game.tick > 0 else { return nil }
    paced.quit()
    return run
  }

  private mutating func begin(_ choice: GameFlow.Choice) {
    if choice == .next { levelIndex = (levelIndex + 1) % levels.count }
    isBest = false
    paced.restart(levels[levelIndex])
  }
}
