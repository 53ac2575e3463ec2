// The rules, tick by tick.
import GameEngine
import Testing

@testable import CosmicAdventure

@Suite("Rules")
struct GameTests {
  private func input(
    steering: Double = 0, jump: Int? = nil, respawns: Bool = false, quits: Bool = false
  ) -> Player.Input {
    var input = Player.Input()
    input.steering = steering
    input.jump = jump
    input.respawns = respawns
    input.quits = quits
    return input
  }

  /// Plays until `isEnough` or the game is over, every player with the same input; the reports of the first player.
  @discardableResult
  private func play(
    _ game: inout Game, _ input: Player.Input = Player.Input(), until isEnough: (Game) -> Bool = { _ in false }
  ) -> [Player.Report] {
    var reports: [Player.Report] = []
    while game.outcome == nil, !isEnough(game) {
      reports += [game.step(game.players.map { _ in input })[0]].compactMap(\.self)
    }
    return reports
  }

  /// Two platforms one above the other, the upper one the goal.
  private func ladder() throws -> Level { try Level.of([(0, 0, 200), (0, 130, 200)]) }

  @Test("Landing on the goal finishes: alone a success, first of two a win, both in the same tick a draw")
  func finish() throws {
    var solo = Game(level: try ladder())
    _ = solo.step([input(jump: 1)])
    play(&solo)
    #expect(solo.outcome?.reason == .finish && solo.outcome?.verdicts == [.success])
    var race = Game(level: try ladder(), players: 2)
    _ = race.step([input(), input(jump: 1)])
    play(&race)
    #expect(race.outcome?.verdicts == [.lose, .win])
    var tie = Game(level: try ladder(), players: 2)
    _ = tie.step([input(jump: 1), input(jump: 1)])
    play(&tie)
    #expect(tie.outcome?.verdicts == [.draw, .draw])
  }

  @Test("After the time limit the higher of two wins, equals draw, and who is alone fails")
  func timeout() throws {
    let level = try Level.of([(0, 0, 200), (0, 130, 200), (0, 400, 50)], timeLimit: 3)
    var solo = Game(level: level)
    play(&solo)
    #expect(solo.outcome == Outcome(reason: .timeout, tick: 360, verdicts: [.fail]))
    var race = Game(level: level, players: 2)
    _ = race.step([input(jump: 1), input()])
    play(&race)
    #expect(race.outcome == Outcome(reason: .timeout, tick: 360, verdicts: [.win, .lose]))
    var tie = Game(level: level, players: 2)
    play(&tie)
    #expect(tie.outcome?.verdicts == [.draw, .draw])
  }

  @Test("Reaching the goal in the last tick beats the clock")
  func lastTick() throws {
    var game = Game(level: try ladder())
    _ = game.step([input(jump: 1)])
    play(&game)
    let finish = try #require(game.outcome?.tick)
    let level = try Level.of([(0, 0, 200), (0, 130, 200)], timeLimit: Double(finish) * FixedStep.seconds)
    var hurried = Game(level: level)
    _ = hurried.step([input(jump: 1)])
    play(&hurried)
    #expect(hurried.outcome == Outcome(reason: .finish, tick: finish, verdicts: [.success]))
  }

  @Test("Who quits has quit; the other wins")
  func quit() throws {
    var solo = Game(level: try ladder())
    _ = solo.step([input(quits: true)])
    #expect(solo.outcome == Outcome(reason: .quit, tick: 1, verdicts: [.quit]))
    var race = Game(level: try ladder(), players: 2)
    _ = race.step([input(), input(quits: true)])
    #expect(race.outcome?.verdicts == [.win, .quit])
  }

  @Test("The monster rises at its speed, stays under the safe platform and in the picture's lowest quarter")
  func monster() throws {
    var game = Game(level: try Level.floor())
    let start = game.monsterTop(of: 0)
    for tick in 1...1200 {
      _ = game.step([input()])
      let top = game.monsterTop(of: 0)
      let free = start + 60 * Double(tick) * FixedStep.seconds
      #expect(top <= free + 1e-9 && top <= -20 && top <= game.players[0].camera.bottom + 130)
      if free < -68 { #expect(abs(top - free) < 1e-6) }
    }
    #expect(game.players[0].respawns == 0)
  }

  @Test("Who falls to the monster is back on the safe platform at once, and safe for a while, without a loop")
  func respawn() throws {
    var game = Game(level: try Level.of([(0, 0, 100), (0, 280, 100)]))
    play(&game, until: { $0.tick == 600 })
    let reports = play(&game, input(steering: 1), until: { $0.players[0].respawns == 1 })
    #expect(reports == [.leftGround, .respawned])
    #expect(game.world.bodies[0].foot == Vector(x: 0, y: 0) && game.world.bodies[0].support == 0)
    #expect(game.isInvulnerable(0))
    play(&game, until: { $0.tick == 1200 })
    #expect(game.players[0].respawns == 1 && !game.isInvulnerable(0))
  }

  @Test("Who falls in the grace falls past the monster, out of the picture, and comes back all the same")
  func fallInGrace() throws {
    var game = Game(level: try Level.of([(0, 0, 20), (0, 280, 100)]))
    play(&game, until: { $0.tick == 600 })
    play(&game, input(steering: 1), until: { $0.players[0].respawns == 1 })
    var depth = 0.0
    play(
      &game, input(steering: 1),
      until: {
        depth = min(depth, $0.world.bodies[0].foot.y)
        return $0.players[0].respawns == 2
      })
    #expect(depth < game.monsterTop(of: 0))
  }

  @Test("A player may ask to be brought back, and only while the game goes on")
  func manual() throws {
    var game = Game(level: try ladder())
    _ = game.step([input(steering: 1)])
    #expect(game.step([input(respawns: true)]) == [.respawned])
    play(&game)
    #expect(game.step([input(respawns: true)]) == [nil])
    #expect(game.players[0].respawns == 1)
  }

  @Test("After a respawn the player is in the picture, however far the camera had followed")
  func camera() throws {
    var game = Game(level: try Level.of([(0, 0, 60), (150, 280, 10)]))
    var bottom = game.players[0].camera.bottom
    for tick in 0..<600 where game.players[0].respawns == 0 {
      _ = game.step([input(steering: tick < 60 ? 0 : -1, jump: tick == 0 ? 1 : tick == 60 ? 2 : nil)])
      #expect(game.players[0].camera.bottom >= bottom)
      bottom = game.players[0].camera.bottom
    }
    #expect(game.players[0].respawns == 1)
    // It had gone up as far as it may.
    #expect(bottom > -110 && bottom <= -100 && game.world.bodies[0].foot.y == 0)
  }

  @Test("Each player has a monster: who is behind is not flooded by who is ahead")
  func monsters() throws {
    var game = Game(level: try Level.of([(0, 0, 390), (0, 130, 390), (0, 260, 390), (190, 540, 1)]), players: 2)
    for tick in 0..<1200 { _ = game.step([input(), input(jump: tick % 200 == 0 ? 1 : nil)]) }
    #expect(game.players.map(\.safePlatform) == [0, 2])
    #expect(game.monsterTop(of: 1) > game.monsterTop(of: 0) && game.monsterTop(of: 0) <= -20)
    #expect(game.players[0].respawns == 0)
  }
}
