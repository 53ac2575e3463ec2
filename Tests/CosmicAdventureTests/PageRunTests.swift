// A run on the page, as a table: what is heard, said and let pass, and what has come of it.
import Foundation
import GameEngine
import Gestures
import Testing

@testable import CosmicAdventure

@Suite("A run on the page")
struct PageRunTests {
  enum Step {
    case hear(InputEvent)
    case steer(Double)
    case jump
    case pause, resume, respawn, quit
    case pass
  }

  /// What stands at the end; `nil` is not looked at.
  struct Expected {
    var phase: GameFlow.Phase?
    /// Ticks.
    var played: ClosedRange<Int>?
    var isSteering: Bool?
    var hasJumped: Bool?
    var respawns: Int?
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var isTrial = false
    var isFaceSeen = true
    /// Milliseconds and steps.
    let steps: [(Int64, Step)]
    let expected: Expected

    init(
      _ name: String, isTrial: Bool = false, isFaceSeen: Bool = true, _ steps: [(Int64, Step)], _ expected: Expected
    ) {
      testDescription = name
      (self.isTrial, self.isFaceSeen, self.steps, self.expected) = (isTrial, isFaceSeen, steps, expected)
    }
  }

  static let rows = [
    Row("with a face it counts down", [(2999, .pass)], Expected(phase: .countdown(end: 3_000_000_000), played: 0...0)),
    Row("after the countdown it plays", [(4000, .pass)], Expected(phase: .playing, played: 119...121)),
    Row("without a face it waits", isFaceSeen: false, [(9000, .pass)], Expected(phase: .waiting, played: 0...0)),
    Row(
      "a face that comes begins the countdown", isFaceSeen: false, [(1000, .hear(.face(.found))), (2000, .pass)],
      Expected(phase: .countdown(end: 4_000_000_000), played: 0...0)),
    Row(
      "a face that is lost stops it", [(4000, .hear(.face(.lost))), (9000, .pass)],
      Expected(phase: .waiting, played: 119...121)),
    Row(
      "a face that is back counts down", [(4000, .hear(.face(.lost))), (5000, .hear(.face(.found))), (5001, .pass)],
      Expected(phase: .countdown(end: 8_000_000_000), played: 119...121)),
    Row(
      "a pause lasts, whatever the face does",
      [(4000, .pause), (5000, .hear(.face(.lost))), (6000, .hear(.face(.found))), (12_000, .pass)],
      Expected(phase: .paused, played: 119...121)),
    Row(
      "going on counts down", [(4000, .pause), (5000, .resume), (5001, .pass)],
      Expected(phase: .countdown(end: 8_000_000_000), played: 119...121)),
    Row(
      "going on without a face counts down: whoever asks is there", isFaceSeen: false,
      [(1000, .resume), (5000, .pass)],
      Expected(phase: .playing, played: 119...121)),
    Row("giving up ends it", [(4000, .quit), (9000, .pass)], Expected(phase: .result(since: 4_000_000_000))),
    Row("giving up in the countdown ends it", [(1000, .quit)], Expected(phase: .result(since: 1_000_000_000))),
    Row(
      "giving up twice is giving up once", [(1000, .quit), (2000, .quit)],
      Expected(phase: .result(since: 1_000_000_000))),
    Row(
      "over is over, whatever the face does", [(4000, .quit), (5000, .hear(.tilt(.begin, .right))), (9000, .pass)],
      Expected(phase: .result(since: 4_000_000_000))),
    Row("a respawn counts while it plays", [(4000, .respawn), (4100, .pass)], Expected(respawns: 1)),
    Row(
      "a respawn in a pause waits for the run to go on",
      [(4000, .pause), (4100, .respawn), (4200, .resume), (7000, .pass)],
      Expected(phase: .countdown(end: 7_200_000_000), respawns: 0)),
    Row(
      "a respawn in a pause comes once the run goes on",
      [(4000, .pause), (4100, .respawn), (4200, .resume), (8000, .pass)], Expected(phase: .playing, respawns: 1)),
    Row("a key steers", [(4000, .steer(1)), (4100, .pass)], Expected(isSteering: true)),
    Row(
      "a key that is not said again stops steering", [(4000, .steer(1)), (4220, .pass)], Expected(isSteering: false)),
    Row(
      "a key that is said again goes on steering", [(4000, .steer(1)), (4150, .steer(1)), (4300, .pass)],
      Expected(isSteering: true)),
    Row(
      "a face that steers has no such end: its own lease is its session's",
      [(4000, .hear(.horizontal(1))), (4500, .pass)], Expected(isSteering: true)),
    Row("a key jumps", [(4000, .jump), (4100, .pass)], Expected(hasJumped: true)),
    Row("a key in the countdown does not jump", [(1000, .jump), (4000, .pass)], Expected(hasJumped: false)),
    Row(
      "a purse in the countdown does not jump", [(1000, .hear(.purse(.begin, strength: 1))), (4000, .pass)],
      Expected(hasJumped: false)),
    Row("a trial plays at once", isTrial: true, [(1000, .pass)], Expected(phase: .playing, played: 119...121)),
    Row(
      "a trial plays without a face", isTrial: true, isFaceSeen: false, [(1000, .pass)],
      Expected(phase: .playing, played: 119...121)),
    Row(
      "a trial is not paused", isTrial: true, [(500, .pause), (600, .hear(.face(.lost))), (1000, .pass)],
      Expected(phase: .playing, played: 119...121)),
  ]

  /// Steps of a sixtieth of a second, as a display would, up to each time.
  private func play(_ row: Row) throws -> PageRun {
    var page = PageRun(level: try .floor(), isTrial: row.isTrial, isFaceSeen: row.isFaceSeen, at: 0)
    var now: Int64 = 0
    for (milliseconds, step) in row.steps {
      let time = milliseconds * 1_000_000
      while now < time {
        now = min(now + 16_666_667, time)
        _ = page.advance(to: now)
      }
      switch step {
      case .hear(let event): page.take(event, at: now)
      case .steer(let value): page.steer(value, at: now)
      case .jump: page.jump()
      case .pause: page.pause()
      case .resume: page.resume(at: now)
      case .respawn: page.respawn()
      case .quit: page.quit(at: now)
      case .pass: break
      }
    }
    return page
  }

  @Test("Steps", arguments: rows)
  func steps(row: Row) throws {
    let page = try play(row)
    let game = page.run.game
    if let phase = row.expected.phase { #expect(page.phase == phase) }
    if let played = row.expected.played { #expect(played.contains(game.tick)) }
    if let isSteering = row.expected.isSteering { #expect((page.run.inputs.last?.action == .steer(1)) == isSteering) }
    if let hasJumped = row.expected.hasJumped { #expect((game.players[0].jumpedAt > 0) == hasJumped) }
    if let respawns = row.expected.respawns { #expect(game.players[0].respawns == respawns) }
  }

  @Test("What is due next is told: nothing while only messages change anything")
  func due() throws {
    var page = PageRun(level: try .floor(), isTrial: false, isFaceSeen: false, at: 0)
    #expect(page.due == nil)
    page.take(.face(.found), at: 0)
    #expect(page.due == 3_000_000_000)
    _ = page.advance(to: 3_000_000_000)
    let due = try #require(page.due)
    #expect((3_000_000_001...3_010_000_000).contains(due))
    page.pause()
    #expect(page.due == nil)
  }

  @Test("A run that ends says so once, and stays as it ended")
  func end() throws {
    var page = PageRun(level: try .floor(timeLimit: 1), isTrial: false, isFaceSeen: true, at: 0)
    let ends = (1...600).filter { page.advance(to: Int64($0) * 16_666_667) }
    #expect(ends.count == 1 && page.isOver)
    let tick = page.run.game.tick
    page.resume(at: 20_000_000_000)
    _ = page.advance(to: 30_000_000_000)
    #expect(page.run.game.tick == tick)
  }

  @Test("A trial that is over begins again, and what steers goes on steering")
  func trialAgain() throws {
    var page = PageRun(level: try .floor(timeLimit: 1), isTrial: true, isFaceSeen: true, at: 0)
    page.take(.horizontal(1), at: 0)
    var ticks: [Int] = []
    for step in 1...90 {
      let hasEnded = page.advance(to: Int64(step) * 16_666_667)
      #expect(!hasEnded)
      ticks.append(page.run.game.tick)
    }
    #expect(zip(ticks, ticks.dropFirst()).contains { $1 < $0 })
    #expect(page.phase == .playing && page.run.game.world.bodies[0].velocity.x > 0)
  }
}

@Suite("World snapshots")
struct WorldSnapshotTests {
  private func snapshot(_ page: PageRun, at now: Int64, isBest: Bool = false) throws -> [String: Any] {
    let json = Data(WorldSnapshot(page, isBest: isBest, at: now).json)
    return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
  }

  @Test("Each phase has its name", arguments: ["waiting", "countdown", "playing", "paused", "over"])
  func phases(name: String) throws {
    var page = PageRun(level: try .floor(), isTrial: false, isFaceSeen: name != "waiting", at: 0)
    if name == "playing" || name == "over" { _ = page.advance(to: 3_000_000_000) }
    if name == "paused" { page.pause() }
    if name == "over" { page.quit(at: 3_000_000_000) }
    #expect(try snapshot(page, at: 0)["phase"] as? String == name)
  }

  @Test("A countdown is told in whole seconds to go", arguments: [(0, 3), (1, 3), (1000, 2), (2999, 1), (3500, 0)])
  func countdown(milliseconds: Int64, seconds: Int) throws {
    let page = PageRun(level: try .floor(), isTrial: false, isFaceSeen: true, at: 0)
    #expect(try snapshot(page, at: milliseconds * 1_000_000)["countdown"] as? Int == seconds)
  }

  @Test("Times are seconds of play, and a game without a limit has none left to tell")
  func times() throws {
    var page = PageRun(level: try .floor(timeLimit: nil), isTrial: true, isFaceSeen: true, at: 0)
    for step in 1...60 { _ = page.advance(to: Int64(step) * 16_666_667) }
    let world = try snapshot(page, at: 1_000_000_000)
    #expect(abs(try #require(world["time"] as? Double) - 1) < 0.02)
    #expect(world["timeLeft"] == nil && world["outcome"] == nil && world["countdown"] == nil)
  }

  @Test("The end is told with its verdict and whether it is the best")
  func outcome() throws {
    var page = PageRun(level: try .floor(), isTrial: false, isFaceSeen: true, at: 0)
    page.quit(at: 0)
    let outcome = try #require(try snapshot(page, at: 0, isBest: true)["outcome"] as? [String: Any])
    #expect(outcome["verdict"] as? String == "quit" && outcome["isBest"] as? Bool == true)
  }
}
