// Runs on file: the same end again, or a reason.
import Fixtures
import GameEngine
import Gestures
import Testing

@testable import CosmicAdventure

@Suite("Recorded runs")
struct RunRecordTests {
  /// Someone who tilts and purses at random for so many ticks, then gives up.
  private func run(_ level: Level, seed: UInt64, players: Int = 1, ticks: Int = 3000) -> GameRun {
    var random = SeededRandom(seed: seed)
    var run = GameRun(level: level, players: players)
    for _ in 0..<ticks {
      for player in 0..<players {
        switch Int.random(in: 0..<60, using: &random) {
        case 0...9: run.take(.horizontal(Double.random(in: -1...1, using: &random)), player: player)
        case 10, 11: run.take(.purse(.begin, strength: 0.9), player: player)
        case 12: run.take(.purse(.end, strength: nil), player: player)
        case 13: run.take(.face(.lost), player: player)
        default: break
        }
      }
      run.step()
    }
    run.quit()
    run.step()
    return run
  }

  @Test("A run replays from its file to the same hash, tick and outcome", arguments: Level.names)
  func replay(name: String) throws {
    let level = try Level.named(name)
    let played = run(level, seed: 1, players: name == "orbit" ? 2 : 1)
    let record = try RunRecord(json: played.record.json)
    #expect(record == played.record)
    var replay = try RunReplay(record, level: level)
    while replay.step() {}
    #expect(replay.run == played)
  }

  /// When this fails, old runs no longer replay: raise `Game.Constants.version`, then write the new hash here.
  @Test("This version of the game still plays as it did")
  func version() throws {
    var run = GameRun(level: try Level.named("comet"))
    for tick in 0..<2400 {
      if tick % 50 == 0 { run.take(.horizontal([-1, 0.25, 1, -0.4][tick / 50 % 4])) }
      if tick % 70 == 0 { run.take(.purse(.begin, strength: 1)) }
      if tick % 70 == 20 { run.take(.purse(.end, strength: nil)) }
      run.step()
    }
    #expect(run.game.players[0].respawns > 0 && run.game.players[0].safePlatform > 0)
    #expect(Game.Constants.version == 1)
    #expect(run.record.hash == "f4fe0514c39481f6")
  }

  @Test("Other inputs, another order of players or another level lead to another hash")
  func hashes() throws {
    let level = try Level.named("orbit")
    let hashes = [
      run(level, seed: 1), run(level, seed: 2), run(level, seed: 1, players: 2), run(try .named("comet"), seed: 1),
    ].map(\.record.hash)
    #expect(Set(hashes).count == 4)
  }

  /// What a display does: pull the steps that are due at each of its frames; events wait for their tick.
  @Test("A display of any rate ends with the same hash", arguments: [30, 60, 120, 144] as [Int64])
  func displays(rate: Int64) throws {
    let level = try Level.named("orbit")
    let played = run(level, seed: 3)
    var inputs = played.inputs[...]
    var pacer = FixedStep(startingAt: 0)
    var again = GameRun(level: level)
    var frame: Int64 = 0
    while again.game.outcome == nil {
      defer { frame += 1 }
      for _ in 0..<pacer.take(until: frame * 1_000_000_000 / rate) {
        while let input = inputs.first, input.tick == again.game.tick { again.take(inputs.removeFirst()) }
        again.step()
      }
    }
    #expect(again.record == played.record)
  }

  @Test("A run of another version, another level or another file format is refused with the reason")
  func refused() throws {
    let level = try Level.named("gentle")
    let text = String(decoding: run(level, seed: 1, ticks: 300).record.json, as: UTF8.self)
    func read(_ old: String, _ new: String) throws -> RunReplay {
      try RunReplay(try RunRecord(json: Array(text.replacing(old, with: new).utf8)), level: level)
    }
    #expect(throws: RunProblem.otherGame(version: 99)) {
      try read("\"game\":\(Game.Constants.version)", "\"game\":99")
    }
    #expect(throws: RunProblem.otherSchema("faceplay-run/2")) { try read("run\\/1", "run\\/2") }
    #expect(throws: RunProblem.notARun) { try RunRecord(json: Array("hello".utf8)) }
    #expect(throws: RunProblem.otherLevel("gentle")) {
      try RunReplay(run(level, seed: 1, ticks: 300).record, level: try .named("orbit"))
    }
  }

  @Test("A run cut short anywhere, or with any byte changed, is refused or the same run")
  func damaged() throws {
    let level = try Level.named("gentle")
    let record = run(level, seed: 1, ticks: 100).record
    let whole = record.json
    var random = SeededRandom(seed: 5)
    for length in 0..<(whole.count - 2) {
      #expect(throws: RunProblem.self) { try RunRecord(json: Array(whole.prefix(length))) }
    }
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      guard let read = try? RunRecord(json: bytes), let replay = try? RunReplay(read, level: level) else { continue }
      // A number's last digits may mean the same number, a purse's name may not.
      #expect(replay.run.record.hash == record.hash, "byte \(index)")
    }
  }

  @Test("Numbers that no run has are refused before anything is played")
  func absurd() throws {
    let level = try Level.named("gentle")
    let text = String(decoding: run(level, seed: 1, ticks: 300).record.json, as: UTF8.self)
    let ticks = "\"ticks\":301"
    #expect(text.contains(ticks))
    for number in ["9223372036854775807", "-1", "99999999999999999999", "1e300", "\"a\""] {
      let bytes = Array(text.replacing(ticks, with: "\"ticks\":\(number)").utf8)
      #expect(throws: RunProblem.damaged) { try RunRecord(json: bytes) }
    }
  }
}

@Suite("Best times")
struct BestTimesTests {
  private func finished(_ level: Level, after ticks: Int) -> Game {
    var run = GameRun(level: level)
    while run.game.outcome == nil {
      if run.game.tick == ticks { run.take(.purse(.begin, strength: nil)) }
      run.step()
    }
    return run.game
  }

  @Test("Of much steering in one tick the last is kept, and plays as all of it did")
  func steering() throws {
    var run = GameRun(level: try Level.named("gentle"))
    for value in stride(from: -1.0, through: 1.0, by: 0.01) { run.take(.horizontal(value)) }
    run.take(.purse(.begin, strength: nil))
    run.take(.horizontal(0.5))
    run.step()
    #expect(run.record.inputs.count == 3)
    let alone = run.game
    var other = GameRun(level: try Level.named("gentle"))
    other.take(.horizontal(1))
    other.take(.purse(.begin, strength: nil))
    other.take(.horizontal(0.5))
    other.step()
    #expect(alone == other.game)
  }

  @Test("The fastest success counts, and merging keeps the better of both")
  func best() throws {
    let level = try Level.of([(0, 0, 200), (0, 130, 200)])
    var times = BestTimes()
    #expect(times[level] == nil)
    let (slow, fast) = (finished(level, after: 200), finished(level, after: 100))
    #expect(times.add(slow) && times.add(fast) && !times.add(slow))
    var other = BestTimes()
    other.add(slow)
    other.merge(times)
    #expect(other == times && other[level] == fast.outcome?.tick)
  }

  @Test("A failure is no time")
  func failure() throws {
    var times = BestTimes()
    #expect(!times.add(finished(try .floor(timeLimit: 1), after: -1)))
  }
}
