// A recorded run played again.

public struct RunReplay: Sendable {
  public private(set) var run: GameRun
  private let record: RunRecord
  private var next = 0

  /// Plays the whole record once to prove that it ends as it did; nothing of a run that does not is shown. Throws
  /// `RunProblem`.
  public init(_ record: RunRecord, level: Level) throws(RunProblem) {
    guard record.level == level.name, record.levelHash == hexadecimal(level.contentHash) else {
      throw .otherLevel(record.level)
    }
    self.record = record
    run = GameRun(level: level, players: record.players)
    var proof = self
    while proof.step() {}
    guard proof.run.game.tick == record.ticks, proof.run.record.hash == record.hash else { throw .otherEnd }
  }

  /// Plays one tick with what was heard before it; `false` at the end.
  public mutating func step() -> Bool {
    guard run.game.tick < record.ticks, run.game.outcome == nil else { return false }
    while next < record.inputs.count, record.inputs[next].tick == run.game.tick {
      run.take(record.inputs[next])
      next += 1
    }
    run.step()
    return true
  }
}
