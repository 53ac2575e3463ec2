// What happens around a run, as tables.
import Gestures
import Testing

@testable import CosmicAdventure

@Suite("Around a run")
struct GameFlowTests {
  enum Step {
    case hear(InputEvent)
    case finish
    case pass
  }

  private static let tiltRight = InputEvent.tilt(.begin, .right)
  private static let purse = InputEvent.purse(.begin, strength: 1)

  /// Milliseconds and steps; the phase after them and the choices made, with their times.
  static let table: [(String, [(Int64, Step)], GameFlow.Phase, [Int64: GameFlow.Choice])] = [
    ("nothing begins without a face", [(9000, .pass)], .waiting, [:]),
    (
      "a face that is seen begins a countdown", [(100, .hear(.face(.found))), (3000, .pass)],
      .countdown(end: 3_100_000_000), [:]
    ),
    ("after it the game is on", [(100, .hear(.face(.found))), (3100, .pass)], .playing, [:]),
    (
      "a face that is lost in the countdown begins it again",
      [(0, .hear(.face(.found))), (2000, .hear(.face(.lost))), (4000, .hear(.face(.found))), (5000, .pass)],
      .countdown(end: 7_000_000_000), [:]
    ),
    ("a lost face pauses", [(0, .hear(.face(.found))), (3000, .pass), (4000, .hear(.face(.lost)))], .waiting, [:]),
    (
      "a tilt to the right that is held is the next level", [(0, .finish), (2000, .hear(tiltRight)), (3000, .pass)],
      .countdown(end: 6_000_000_000), [3000: .next]
    ),
    (
      "a purse that is held is the same again", [(0, .finish), (2000, .hear(purse)), (3000, .pass)],
      .countdown(end: 6_000_000_000), [3000: .again]
    ),
    (
      "one that is not held long enough is nothing",
      [(0, .finish), (2000, .hear(purse)), (2900, .hear(.purse(.end, strength: nil))), (4000, .pass)],
      .result(since: 0), [:]
    ),
    (
      "what begins with the result still fresh was meant for the game",
      [(0, .finish), (500, .hear(tiltRight)), (4000, .pass)], .result(since: 0), [:]
    ),
    (
      "a face that is lost lets the choice go",
      [(0, .finish), (2000, .hear(purse)), (2500, .hear(.face(.lost))), (4000, .pass)], .result(since: 0), [:]
    ),
  ]

  @Test("Steps", arguments: table.indices)
  func steps(row: Int) {
    let (name, steps, phase, expected) = Self.table[row]
    var flow = GameFlow()
    var choices: [Int64: GameFlow.Choice] = [:]
    for (time, step) in steps {
      switch step {
      case .hear(let event): flow.take(event, at: time * 1_000_000)
      case .finish: flow.finish(at: time * 1_000_000)
      case .pass: choices[time] = flow.advance(to: time * 1_000_000)
      }
    }
    #expect(flow.phase == phase, "\(name)")
    #expect(choices == expected, "\(name)")
  }
}

@Suite("A playthrough")
struct PlaythroughTests {
  /// Plays on to `time`, milliseconds, as a thread does that wakes 250 times a second; the runs that end.
  private func pass(_ playthrough: inout Playthrough, from start: Int64, to end: Int64) -> [GameRun] {
    stride(from: start, through: end, by: 4).compactMap { playthrough.advance(to: $0 * 1_000_000) }
  }

  private func playthrough() throws -> Playthrough {
    Playthrough(levels: [try .of([(0, 0, 200), (0, 130, 200)], timeLimit: nil), try .floor()], startingWith: 0)
  }

  @Test("By face alone: begin, finish, the next level, pause, go on, give up")
  func whole() throws {
    var playthrough = try playthrough()
    playthrough.take(.face(.found), at: 0)
    #expect(pass(&playthrough, from: 0, to: 4000).isEmpty)
    #expect((119...121).contains(playthrough.run.game.tick))
    playthrough.take(.purse(.begin, strength: 1), at: 4_000_000_000)
    let finished = pass(&playthrough, from: 4000, to: 6000)
    #expect(finished.count == 1 && finished[0].game.outcome?.verdicts == [.success])
    #expect(playthrough.isBest && playthrough.bestTimes[playthrough.levels[0]] == finished[0].game.tick)
    playthrough.take(.tilt(.begin, .right), at: 7_000_000_000)
    playthrough.take(.horizontal(1), at: 7_000_000_000)
    _ = pass(&playthrough, from: 7000, to: 11_500)
    #expect(playthrough.levelIndex == 1 && playthrough.run.game.world.bodies[0].foot.x > 0)
    playthrough.take(.face(.lost), at: 11_500_000_000)
    let tick = playthrough.run.game.tick
    _ = pass(&playthrough, from: 11_500, to: 20_000)
    #expect(playthrough.run.game.tick == tick)
    playthrough.take(.face(.found), at: 20_000_000_000)
    _ = pass(&playthrough, from: 20_000, to: 24_000)
    #expect((119...121).contains(playthrough.run.game.tick - tick))
    let quit = playthrough.quit()
    #expect(quit?.game.outcome?.verdicts == [.quit])
  }

  @Test("A purse in the countdown does not jump when the game goes on")
  func earlyPurse() throws {
    var playthrough = try playthrough()
    playthrough.take(.face(.found), at: 0)
    playthrough.take(.purse(.begin, strength: 1), at: 1_000_000_000)
    _ = pass(&playthrough, from: 0, to: 4000)
    #expect(playthrough.run.game.tick > 100 && playthrough.run.game.players[0].jumpedAt == 0)
  }

  @Test("A run with a pause replays to the same hash")
  func pausedRun() throws {
    var playthrough = try playthrough()
    playthrough.take(.face(.found), at: 0)
    _ = pass(&playthrough, from: 0, to: 3500)
    playthrough.take(.horizontal(0.5), at: 3_500_000_000)
    _ = pass(&playthrough, from: 3500, to: 3700)
    playthrough.take(.face(.lost), at: 3_700_000_000)
    playthrough.take(.face(.found), at: 5_000_000_000)
    _ = pass(&playthrough, from: 5000, to: 9000)
    let quit = playthrough.quit()
    let run = try #require(quit)
    var replay = try RunReplay(RunRecord(json: run.record.json), level: playthrough.levels[0])
    while replay.step() {}
    #expect(replay.run == run)
  }
}
