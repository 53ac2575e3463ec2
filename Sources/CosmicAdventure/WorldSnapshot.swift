// What the page draws of a run, as JSON.
import FoundationEssentials
import GameEngine

/// Lengths are points, times seconds; docs/protocol.md lists the keys.
public struct WorldSnapshot: Sendable, Encodable {
  public struct Player: Sendable, Encodable {
    let x, y, vx, vy: Double
    let isStanding, isInvulnerable, isDoubleJumping: Bool
    let safePlatform, respawns, jumpedAt, landedAt: Int
    let respawnProgress: Double
  }

  public struct Result: Sendable, Encodable {
    let verdict: String
    let isBest: Bool
  }

  let tick: Int
  /// waiting, countdown, playing, paused or over.
  let phase: String
  /// Whole seconds to go.
  let countdown: Int?
  let time: Double
  let timeLeft: Double?
  /// The height of the picture's lower edge.
  let camera: Double
  /// The height of the monster's upper edge.
  let monster: Double
  let players: [Player]
  let outcome: Result?

  /// `now` is in nanoseconds, as the run's times.
  public init(_ page: PageRun, isBest: Bool, at now: Int64) {
    let game = page.run.game
    tick = game.tick
    (phase, countdown) = Self.phase(page.phase, now)
    time = Self.seconds(game.tick)
    timeLeft = game.ticksLeft.map(Self.seconds)
    camera = game.players[0].camera.bottom
    monster = game.monsterTop(of: 0)
    players = game.players.indices.map { Player(page.run, $0) }
    outcome = game.outcome.map { Result(verdict: "\($0.verdicts[0])", isBest: isBest) }
  }

  public var json: [UInt8] {
    // All numbers are finite: the engine's tests say so.
    Array(try! JSONEncoder().encode(self))
  }

  public static func seconds(_ ticks: Int) -> Double { Double(ticks) * FixedStep.seconds }

  private static func phase(_ phase: GameFlow.Phase, _ now: Int64) -> (String, Int?) {
    switch phase {
    case .waiting: ("waiting", nil)
    case .countdown(let end): ("countdown", max(Int((Double(end - now) / 1e9).rounded(.up)), 0))
    case .playing: ("playing", nil)
    case .paused: ("paused", nil)
    case .result: ("over", nil)
    }
  }
}

extension WorldSnapshot.Player {
  fileprivate init(_ run: GameRun, _ index: Int) {
    let (body, player) = (run.game.world.bodies[index], run.game.players[index])
    (x, y) = (body.foot.x, body.foot.y)
    (vx, vy) = (body.velocity.x, body.velocity.y)
    isStanding = body.support != nil
    isInvulnerable = run.game.isInvulnerable(index)
    isDoubleJumping = player.isDoubleJumping
    safePlatform = player.safePlatform
    respawns = player.respawns
    jumpedAt = player.jumpedAt
    landedAt = player.landedAt
    respawnProgress = run.respawnProgress(of: index)
  }
}

extension Level {
  /// As in its file.
  public var json: [UInt8] { Array(try! JSONEncoder().encode(self)) }
}
