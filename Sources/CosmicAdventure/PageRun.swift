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
  public private(set) var run: GameRun
  private var flow: GameFlow
  private var pacer: FixedStep?
  private var steering = 0.0
  /// When the key that steers must have been renewed.
  private var keyEnd: Int64?

  /// `isFaceSeen`: the player is there, so that the countdown begins at once.
  public init(level: Level, isTrial: Bool, isFaceSeen: Bool, at time: Int64) {
    self.isTrial = isTrial
    run = GameRun(level: level)
    flow = isFaceSeen ? GameFlow(startingAt: time) : GameFlow()
  }

  public var phase: GameFlow.Phase { isTrial && run.game.outcome == nil ? .playing : flow.phase }

  public var isOver: Bool { if case .result = flow.phase { true } else { false } }

  /// When there is something to do next, nanoseconds; `nil` while nothing but messages changes anything.
  public var due: Int64? {
    switch phase {
    case .countdown(let end): end
    case .playing: pacer?.due ?? 0
    case .waiting, .paused, .result: nil
    }
  }

  public mutating func take(_ event: InputEvent, at time: Int64) {
    if !isOver { flow.take(event, at: time) }
    switch event {
    case .horizontal(let value):
      steering = value
      keyEnd = nil
    // A purse before the start is no jump.
    case .purse(.begin, _) where phase != .playing: return
    case .release, .face(.lost): steering = 0
    default: break
    }
    run.take(event)
  }

  /// A key steers, for as long as this is said again.
  public mutating func steer(_ value: Double, at time: Int64) {
    keyEnd = value == 0 ? nil : time + Constants.keyLease
    steering = value
    run.take(.horizontal(value))
  }

  /// A key jumps.
  public mutating func jump() {
    guard phase == .playing else { return }
    run.take(.purse(.begin, strength: nil))
    run.take(.purse(.end, strength: nil))
  }

  public mutating func pause() { if !isTrial { flow.pause() } }

  public mutating func resume(at time: Int64) { flow.resume(at: time) }

  public mutating func respawn() { if phase == .playing { run.respawn() } }

  public mutating func quit(at time: Int64) {
    guard run.game.outcome == nil else { return }
    run.quit()
    run.step()
    flow.finish(at: time)
  }

  /// Plays what is due by `time`; whether the run has ended by it.
  public mutating func advance(to time: Int64) -> Bool {
    if !isOver { _ = flow.advance(to: time) }
    guard phase == .playing else {
      pacer = nil
      return false
    }
    if let end = keyEnd, time >= end { steer(0, at: time) }
    var pacer = pacer ?? FixedStep(startingAt: time)
    for _ in 0..<pacer.take(until: time) { run.step() }
    self.pacer = pacer
    guard run.game.outcome != nil else { return false }
    if isTrial {
      run = GameRun(level: run.game.level)
      if steering != 0 { run.take(.horizontal(steering)) }
      return false
    }
    flow.finish(at: time)
    return true
  }
}
