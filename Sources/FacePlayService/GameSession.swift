// A game played live: events in from the gesture session's threads, fixed steps on a thread of its own.
import CosmicAdventure
import Frames
import GestureStream
import Gestures
import Synchronization

/// What there is to draw.
public struct GameScene: Sendable {
  public let game: Game
  public let phase: GameFlow.Phase
  /// CLOCK_MONOTONIC in nanoseconds, as the phase's times.
  public let time: Int64
  public let choice: (GameFlow.Choice, Double)?
  public let nextLevel: Level?
  /// Ticks.
  public let bestTime: Int?
  public let isBest: Bool
  /// How far a held purse has come to a respawn, 0…1.
  public let respawnProgress: Double

  public init(_ playthrough: Playthrough, at time: Int64) {
    game = playthrough.run.game
    phase = playthrough.flow.phase
    self.time = time
    choice = playthrough.flow.choice(at: time)
    nextLevel = playthrough.nextLevel
    bestTime = playthrough.bestTimes[playthrough.run.game.level]
    isBest = playthrough.isBest
    respawnProgress = playthrough.run.respawnProgress()
  }

  /// Of a replay, which nobody plays.
  public init(replaying game: Game, at time: Int64) {
    self.game = game
    phase = game.outcome == nil ? .playing : .result(since: time)
    self.time = time
    choice = nil
    nextLevel = nil
    bestTime = nil
    isBest = false
    respawnProgress = 0
  }
}

/// Steps a playthrough by CLOCK_MONOTONIC. What draws it takes the newest scene and holds nothing up.
public final class GameSession: Sendable {
  public struct Constants {
    /// Nanoseconds between scenes: 30 a second.
    public static let sceneInterval: Int64 = 33_333_333
  }

  private let heard = Inbox()
  private let ended = Cancellation()
  private let thread: WorkerThread

  /// `onScene` and `onRun`, for each run that has ended, are called on the game's thread.
  public init(
    _ playthrough: Playthrough, onScene: @escaping @Sendable (GameScene) -> Void,
    onRun: @escaping @Sendable (GameRun) -> Void
  ) {
    thread = WorkerThread("game") { [ended, heard] in
      var playthrough = playthrough
      var nextScene = MonotonicClock.now
      while true {
        let wake = min(playthrough.due ?? nextScene, nextScene)
        if ended.sleep(until: wake) { break }
        let now = MonotonicClock.now
        for event in heard.takeAll() { playthrough.take(event, at: now) }
        if let run = playthrough.advance(to: now) { onRun(run) }
        guard now >= nextScene else { continue }
        onScene(GameScene(playthrough, at: now))
        nextScene = now + Constants.sceneInterval
      }
      for event in heard.takeAll() { playthrough.take(event, at: MonotonicClock.now) }
      if let run = playthrough.quit() { onRun(run) }
    }
  }

  /// Hears the events of a gesture session; from any thread.
  public func tell(_ record: StreamRecord) {
    if case .event(let event) = record { heard.put(event.event) }
  }

  /// Gives up the run that is under way and ends the thread; must be called once.
  public func end() {
    ended.cancel()
    thread.join()
  }

  /// Events that the game has not heard yet; none may be lost.
  private final class Inbox: Sendable {
    private let events = Mutex<[InputEvent]>([])

    func put(_ event: InputEvent) { events.withLock { $0.append(event) } }

    func takeAll() -> [InputEvent] {
      events.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }
}
