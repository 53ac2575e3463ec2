// When a run's ticks were played.
import GameEngine

/// A game stands still while nobody is seen: a mark says from which tick on it went on, and when.
public struct RunClock: Sendable, Equatable {
  public struct Mark: Sendable, Equatable, Codable {
    public let tick: Int
    /// Nanoseconds, when the tick before which `tick` ticks were played was due.
    public let time: Int64
  }

  struct Constants {
    /// Nanoseconds that a game may be late without having stood still: six ticks.
    static let tolerance: Int64 = 50_000_000
    /// Far more than there are pauses in the longest run; a machine that is always late makes no more.
    static let mostMarks = 1 << 14
  }

  public private(set) var marks: [Mark] = []

  public init() {}

  /// `tick` ticks have been played by `time`, while the game is on.
  public mutating func note(_ tick: Int, at time: Int64) {
    guard let last = marks.last else {
      marks.append(Mark(tick: 0, time: time - FixedStep.time(of: tick)))
      return
    }
    let due = last.time + FixedStep.time(of: tick) - FixedStep.time(of: last.tick)
    guard time - due > Constants.tolerance, marks.count < Constants.mostMarks else { return }
    marks.append(Mark(tick: tick, time: time))
  }

  /// On a clock that begins at `start`.
  func marks(from start: Int64) -> [Mark] { marks.map { Mark(tick: $0.tick, time: $0.time - start) } }
}
