// Everything around a run that a face alone must be able to do: begin, pause, go on, choose what comes next.
import Gestures

/// A state machine on input events and time; whoever owns it plays while it says so.
public struct GameFlow: Sendable, Equatable {
  public struct Constants {
    /// Nanoseconds from a face being seen to the game going on.
    public static let countdown: Int64 = 3_000_000_000
    /// Nanoseconds for which a tilt or purse is held to choose.
    public static let choice: Int64 = 1_000_000_000
    /// Nanoseconds after the end in which no choice begins: what is held then was meant for the game.
    static let breath: Int64 = 1_000_000_000
  }

  public enum Phase: Sendable, Equatable {
    /// Nobody is seen; the game has not begun or is paused.
    case waiting
    /// The game goes on at `end`, nanoseconds.
    case countdown(end: Int64)
    case playing
    case result(since: Int64)
  }

  public enum Choice: Sendable, Equatable {
    /// A purse, or a tilt to the left.
    case again
    /// A tilt to the right.
    case next
  }

  public private(set) var phase = Phase.waiting
  private var held: (choice: Choice, since: Int64)?

  public init() {}

  public static func == (one: GameFlow, other: GameFlow) -> Bool {
    one.phase == other.phase && one.held?.choice == other.held?.choice && one.held?.since == other.held?.since
  }

  /// The choice that is being held and how far it has come, 0…1.
  public func choice(at time: Int64) -> (Choice, Double)? {
    held.map { ($0.choice, min(max(Double(time - $0.since) / Double(Constants.choice), 0), 1)) }
  }

  public mutating func take(_ event: InputEvent, at time: Int64) {
    switch (phase, event) {
    case (.waiting, .face(.found)): phase = .countdown(end: time + Constants.countdown)
    case (.countdown, .face(.lost)), (.playing, .face(.lost)): phase = .waiting
    case (.result(let since), _): choose(event, at: time, since: since)
    default: break
    }
  }

  /// The run has ended.
  public mutating func finish(at time: Int64) {
    phase = .result(since: time)
    held = nil
  }

  /// Lets time pass; the choice that was made by it.
  public mutating func advance(to time: Int64) -> Choice? {
    switch phase {
    case .countdown(let end) where time >= end: phase = .playing
    case .result:
      guard let held, time - held.since >= Constants.choice else { return nil }
      self.held = nil
      phase = .countdown(end: time + Constants.countdown)
      return held.choice
    default: break
    }
    return nil
  }

  private mutating func choose(_ event: InputEvent, at time: Int64, since: Int64) {
    let isEarly = time - since < Constants.breath
    switch event {
    case .tilt(.begin, let direction): held = isEarly ? nil : (direction == .right ? .next : .again, time)
    case .purse(.begin, _): held = isEarly ? nil : (.again, time)
    case .tilt(.end, _), .purse(.end, _), .release, .face: held = nil
    case .jump, .horizontal: break
    }
  }
}
