// Bodies thrown about at random, each step judged by what was before and after, not by how the engine works.
import GameEngine

/// Speeds up to ten times the terminal one, jumps and turns at any moment, platforms anywhere, a new world now and then.
public struct PhysicsSweep {
  public private(set) var steps = 0
  public private(set) var landings = 0
  /// What went wrong, at most ten of it.
  public private(set) var violations: [String] = []
  private var random: SeededRandom
  private var world: World

  public init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    world = Self.world(&random)
  }

  public mutating func run(steps count: Int) {
    for _ in 0..<count where violations.count < 10 {
      if Int.random(in: 0..<2000, using: &random) == 0 { world = Self.world(&random) }
      disturb()
      let before = world.bodies[0]
      world.step()
      steps += 1
      judge(before, world.bodies[0])
    }
  }

  private static func world(_ random: inout SeededRandom) -> World {
    let platforms = (0..<12).map { _ in
      Platform(
        x: Double.random(in: -180...180, using: &random), top: Double.random(in: -600...600, using: &random),
        width: Double.random(in: 1...200, using: &random))
    }
    let body = Body(
      width: 30, height: 48, foot: Vector(x: Double.random(in: -180...180, using: &random), y: 700),
      touches: [.ground, .wall])
    return World(platforms: platforms, walls: -195...195, bodies: [body])
  }

  /// What a player or a rule might do at any moment.
  private mutating func disturb() {
    let limit = 10 * world.movement.terminalSpeed
    switch Int.random(in: 0..<160, using: &random) {
    case 0: world.bodies[0].velocity.x = Double.random(in: -limit...limit, using: &random)
    case 1...9: world.bodies[0].jump(speed: Double.random(in: -limit...limit, using: &random))
    case 10...13: world.bodies[0].jump(speed: world.movement.jumpSpeed)
    case 14...25: world.bodies[0].steering = Double.random(in: -1...1, using: &random)
    default: break
    }
    // Whoever leaves comes back from above, as fast.
    if abs(world.bodies[0].foot.y) > 700 {
      world.bodies[0].foot.y = 700
      world.bodies[0].velocity.y = -abs(world.bodies[0].velocity.y)
    }
  }

  private mutating func judge(_ before: Body, _ after: Body) {
    expect([after.foot.x, after.foot.y, after.velocity.x, after.velocity.y].allSatisfy(\.isFinite), "not finite")
    expect(abs(after.foot.x) <= 180, "through a wall")
    if let platform = after.contacts.landed {
      landings += 1
      let top = world.platforms[platform].top
      expect(before.support == nil && before.foot.y >= top && after.foot.y == top, "landed on what was not below")
      expect(!misses(world.platforms[platform], before, after), "landed beside the platform")
    }
    if after.support != nil {
      expect(after.velocity.y == 0 && after.foot.y == world.platforms[after.support!].top, "stands in the air")
      let isFree = !after.contacts.isAtWall && after.steering != 0
      expect(!isFree || after.foot.x != before.foot.x || after.velocity.x != before.velocity.x, "sticks to the ground")
    } else {
      let isStill = after.foot == before.foot && after.velocity == before.velocity
      expect(!isStill || after.contacts.leftGround, "hangs in the air")
    }
    for platform in world.platforms where tunnels(through: platform, before, after) {
      expect(false, "through the platform at \(platform.x), \(platform.top)")
    }
  }

  /// Whether both ends of the way are beside the platform, on the same side.
  private func misses(_ platform: Platform, _ before: Body, _ after: Body) -> Bool {
    let reach = (platform.width + before.width) / 2
    let (start, end) = (before.foot.x - platform.x, after.foot.x - platform.x)
    return start >= reach && end >= reach || start <= -reach && end <= -reach
  }

  /// Whether a falling body was wholly over the platform just before it was wholly under it, walked in small parts.
  private func tunnels(through platform: Platform, _ before: Body, _ after: Body) -> Bool {
    guard before.support == nil, before.foot.y >= platform.top, after.foot.y < platform.top else { return false }
    let reach = (platform.width + before.width) / 2
    // A way that is bent is surely over the platform only where both its ends are.
    guard !after.contacts.isAtWall, after.contacts.landed == nil else {
      return abs(before.foot.x - platform.x) < reach && abs(after.foot.x - platform.x) < reach
    }
    func point(_ part: Int) -> Vector {
      let share = Double(part) / 64
      return Vector(
        x: before.foot.x + (after.foot.x - before.foot.x) * share,
        y: before.foot.y + (after.foot.y - before.foot.y) * share)
    }
    return (0..<64).contains { part in
      let (start, end) = (point(part), point(part + 1))
      return start.y >= platform.top && end.y < platform.top
        && abs(start.x - platform.x) < reach && abs(end.x - platform.x) < reach
    }
  }

  private mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { violations.append("step \(steps): \(what())") }
  }
}
