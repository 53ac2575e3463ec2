// A run stepped by a clock: what the terminal and the page play alike.
import GameEngine
import Gestures

/// A pure value on events and time, nanoseconds.
struct PacedRun: Sendable {
  private(set) var run: GameRun
  private var pacer: FixedStep?
  /// What is held when another run begins is held in that one, too.
  private var steering = 0.0

  init(level: Level) { run = GameRun(level: level) }

  /// When the next step is due; `nil` while none was taken since the last pause.
  var due: Int64? { pacer?.due }

  /// A purse before the start is no jump.
  mutating func take(_ event: InputEvent, isPlaying: Bool) {
    switch event {
    case .horizontal(let value): steering = value
    case .purse(.begin, _) where !isPlaying: return
    case .release, .face(.lost): steering = 0
    default: break
    }
    run.take(event)
  }

  mutating func respawn() { run.respawn() }

  mutating func quit() {
    run.quit()
    run.step()
  }

  /// Plays what is due by `time`, or stands; whether the run is over by it.
  mutating func advance(to time: Int64, isPlaying: Bool) -> Bool {
    guard isPlaying else {
      pacer = nil
      return false
    }
    var pacer = pacer ?? FixedStep(startingAt: time)
    for _ in 0..<pacer.take(until: time) { run.step() }
    self.pacer = pacer
    return run.game.outcome != nil
  }

  mutating func restart(_ level: Level) {
    run = GameRun(level: level)
    if steering != 0 { run.take(.horizontal(steering)) }
  }
}
