// One run on the page: the face begins it and pauses it, buttons do what buttons say.
import GameEngine
import Gestures

/// A pure value on events and time. What comes after the end is the page's to choose.
public struct PageRun: Sendable {
  public struct Constants {
    /// Nanoseconds that a key steers after it was last said to be down: a lease, as for faces.
    static let keyLease: Int64 = 200_000_000
  }

  /// A run to try settings on: it needs no countdown, never pauses and begins again when it is over.
  public let isTrial: Bool
  private var paced: PacedRun
  private var flow: GameFlow
  /// When the key that steers must have been renewed.
  private var keyEnd: Int64?

  /// `isFaceSeen`: the player is there, so that the countdown begins at once.
  public init(level: Level, isTrial: Bool, isFaceSeen: Bool, at time: Int64) {
    self.isTrial = isTrial
    paced = PacedRun(level: level)
    flow = isFaceSeen ? GameFlow(startingAt: time) : GameFlow()
  }

  public var run: GameRun { paced.run }

  public var phase: GameFlow.Phase { isTrial && run.game.outcome == nil ? .playing : flow.phase }

  public var isOver: Bool { if case .result = flow.phase { true } else { false } }

  /// When there is something to do next, nanoseconds; `nil` while nothing but messages changes anything.
  public var due: Int64? {
    switch phase {
    case .countdown(let end): end
    case .playing: paced.due ?? 0
    case .waiting, .paused, .result: nil
    }
  }

  public mutating func take(_ event: InputEvent, at time: Int64) {
    if !isOver { flow.take(event, at: time) }
    if case .horizontal = event { keyEnd = nil }
    paced.take(event, isPlaying: phase == .playing)
  }

  /// A key steers, for as long as this is said again.
  public mutating func steer(_ value: Double, at time: Int64) {
    keyEnd = value == 0 ? nil : time + Constants.keyLease
    paced.take(.horizontal(value), isPlaying: phase == .playing)
  }

  /// A key jumps.
  public mutating func jump() {
    guard phase == .playing else { return }
    paced.take(.purse(.begin, strength: nil), isPlaying: true)
    paced.take(.purse(.end, strength: nil), isPlaying: true)
  }

  public mutating func pause() { if !isTrial { flow.pause() } }

  public mutating func resume(at time: Int64) { flow.resume(at: time) }

  /// In a pause: as soon as it goes on.
  public mutating func respawn() { if !isOver { paced.respawn() } }

  public mutating func quit(at time: Int64) {
    guard run.game.outcome == nil else { return }
    paced.quit()
    flow.finish(at: time)
  }

  /// Plays what is due by `time`; whether the run has ended by it.
  public mutating func advance(to time: Int64) -> Bool {
    if !isOver { _ = flow.advance(to: time) }
    if phase == .playing, let end = keyEnd, time >= end { steer(0, at: time) }
    guard paced.advance(to: time, isPlaying: phase == .playing) else { return false }
    if isTrial {
      paced.restart(run.game.level)
      return false
    }
    flow.finish(at: time)
    return true
  }
}
