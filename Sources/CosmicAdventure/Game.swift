// The rules of Cosmic Adventure: climb to the spaceship before the time is up, ahead of the monster.
import GameEngine

/// One or two players on one level. A pure value: its state depends on the level and the inputs of each tick.
public struct Game: Sendable, Equatable {
  public struct Constants {
    /// Part of every recorded run: raised whenever the same inputs lead elsewhere.
    public static let version = 1
    /// Points: the body is half as wide as what is drawn, so that edges forgive.
    public static let playerWidth = 30.0
    public static let playerHeight = 48.0
    /// Points from the camera's bottom down to the monster at the start, and down to where nobody comes back from.
    static let monsterStart = 80.0
    static let fallDepth = 100.0
    /// The monster covers at most this share of the picture.
    static let monsterShare = 0.25
    /// Points that the monster stays below the safe platform.
    static let monsterDistance = 20.0
    /// Points of the picture below the safe platform: who comes back there is seen, with the monster under them.
    static let safeMargin = 100.0
    /// Ticks without the monster after a respawn: 1.5 s.
    static let grace = 180
    /// Ticks after which any run ends, an hour: a game that was left running.
    public static let longestRun = 3600 * FixedStep.rate
  }

  public let level: Level
  public private(set) var world: World
  public private(set) var players: [Player]
  public private(set) var tick = 0
  /// `nil` while the game goes on.
  public private(set) var outcome: Outcome?

  /// `players` is 1 or 2.
  public init(level: Level, players count: Int = 1) {
    self.level = level
    let start = level.platforms[0]
    let players = (0..<count).map { _ in Player(camera: Camera(following: start.top)) }
    world = World(
      platforms: level.platforms.map { Platform(x: $0.x, top: $0.top, width: $0.width) },
      walls: -level.halfWidth...level.halfWidth,
      bodies: (0..<count).map { index in
        Body(
          width: Constants.playerWidth, height: Constants.playerHeight, foot: .zero,
          touches: [.ground, .wall, .hazard(of: index)])
      })
    world.hazards = players.enumerated().map { index, player in
      Hazard(top: player.camera.bottom - Constants.monsterStart, category: .hazard(of: index))
    }
    self.players = players
    for index in players.indices { world.place(index, on: 0) }
  }

  /// Nanoseconds played.
  public var time: Int64 { FixedStep.time(of: tick) }

  /// Ticks that are left; `nil` where there is no limit.
  public var ticksLeft: Int? { level.timeLimit.map { max(Self.ticks($0) - tick, 0) } }

  public func isInvulnerable(_ player: Int) -> Bool { tick < players[player].graceEnd }

  /// The highest the monster of this player reaches, points.
  public func monsterTop(of player: Int) -> Double { world.hazards[player].top }

  /// Plays one tick; `inputs` by player. The reports are to be told to each player's jump state machine.
  public mutating func step(_ inputs: [Player.Input]) -> [Player.Report?] {
    guard outcome == nil else { return players.map { _ in nil } }
    tick += 1
    outcome = Outcome.quit(inputs.map(\.quits), at: tick)
    guard outcome == nil else { return players.map { _ in nil } }
    for index in players.indices {
      act(on: inputs[index], index)
      raiseMonster(index)
    }
    world.step()
    let reports = players.indices.map { settle($0, asksForRespawn: inputs[$0].respawns) }
    outcome =
      Outcome.finish(players.map { $0.safePlatform == level.goal }, at: tick)
      ?? (isOver ? Outcome.timeout(platforms: players.map(\.safePlatform), at: tick) : nil)
    return reports
  }

  private var isOver: Bool { ticksLeft == 0 || tick >= Constants.longestRun }

  private mutating func act(on input: Player.Input, _ index: Int) {
    world.bodies[index].steering = input.steering
    guard let jump = input.jump else { return }
    let movement = world.movement
    world.bodies[index].jump(speed: jump == 1 ? movement.jumpSpeed : movement.secondJumpSpeed)
    players[index].jumpedAt = tick
    players[index].isDoubleJumping = jump > 1
  }

  /// Up at its speed, never down, as far as the picture and the safe platform let it.
  private mutating func raiseMonster(_ index: Int) {
    let player = players[index]
    let limit = min(
      player.camera.bottom + Constants.monsterShare * Camera.Constants.height,
      level.platforms[player.safePlatform].top - Constants.monsterDistance)
    let top = world.hazards[index].top
    world.hazards[index].top = max(top, min(top + level.monsterSpeed * FixedStep.seconds, limit))
  }

  /// What the step means for a player.
  private mutating func settle(_ index: Int, asksForRespawn: Bool) -> Player.Report? {
    let contacts = world.bodies[index].contacts
    if let platform = contacts.landed {
      players[index].safePlatform = max(players[index].safePlatform, platform)
      players[index].landedAt = tick
    }
    players[index].camera.follow(
      world.bodies[index].foot.y, keeping: level.platforms[players[index].safePlatform].top - Constants.safeMargin)
    let hasFallen = world.bodies[index].foot.y < players[index].camera.bottom - Constants.fallDepth
    if contacts.isInHazard || hasFallen || asksForRespawn {
      respawn(index)
      return .respawned
    }
    world.bodies[index].touches.formUnion(isInvulnerable(index) ? [] : .hazard(of: index))
    return contacts.landed != nil ? .landed : contacts.leftGround ? .leftGround : nil
  }

  private mutating func respawn(_ index: Int) {
    world.place(index, on: players[index].safePlatform)
    world.bodies[index].touches.remove(.hazard(of: index))
    players[index].respawns += 1
    players[index].graceEnd = tick + Constants.grace
    players[index].landedAt = tick
  }

  private static func ticks(_ seconds: Double) -> Int { Int((seconds * Double(FixedStep.rate)).rounded()) }
}

extension StateHash {
  /// Everything of a game that later ticks depend on, besides its level.
  public mutating func combine(_ game: Game) {
    combine(game.tick)
    for (body, player) in zip(game.world.bodies, game.players) {
      combine(body)
      combine(player.camera.bottom)
      for number in [player.safePlatform, player.respawns, player.graceEnd] { combine(number) }
    }
    for hazard in game.world.hazards { combine(hazard.top) }
    combine(game.outcome?.tick ?? -1)
  }
}
