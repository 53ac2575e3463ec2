// How a run ended, for each player.

public struct Outcome: Sendable, Equatable {
  public enum Reason: Sendable, Equatable {
    case finish, timeout, quit
  }

  /// One player succeeds or fails; two win, lose or draw. Whoever quits has quit.
  public enum Verdict: Sendable, Equatable {
    case success, fail
    case win, lose, draw
    case quit
  }

  public let reason: Reason
  /// The last tick; see `FixedStep.time(of:)`.
  public let tick: Int
  /// By player.
  public let verdicts: [Verdict]

  /// Whoever reached the goal, none or both in the same tick.
  static func finish(_ hasFinished: [Bool], at tick: Int) -> Outcome? {
    guard hasFinished.contains(true) else { return nil }
    return Outcome(reason: .finish, tick: tick, verdicts: ranked(hasFinished.map { $0 ? 1 : 0 }))
  }

  /// The highest platform decides.
  static func timeout(platforms: [Int], at tick: Int) -> Outcome {
    let verdicts = platforms.count == 1 ? [.fail] : ranked(platforms)
    return Outcome(reason: .timeout, tick: tick, verdicts: verdicts)
  }

  /// `nil` while nobody quits.
  static func quit(_ quits: [Bool], at tick: Int) -> Outcome? {
    guard quits.contains(true) else { return nil }
    return Outcome(reason: .quit, tick: tick, verdicts: quits.map { $0 ? .quit : .win })
  }

  private static func ranked(_ places: [Int]) -> [Verdict] {
    guard places.count > 1 else { return [.success] }
    let best = places.max()!
    let isShared = places.filter { $0 == best }.count > 1
    return places.map { $0 < best ? .lose : isShared ? .draw : .win }
  }
}
