// How bodies meet platforms, walls and hazards.
import Fixtures
import GameEngine
import Testing

@Suite("World")
struct WorldTests {
  private func body(
    x: Double = 0, y: Double, speed: Double = 0, touches: GameEngine.Category = [.ground, .wall]
  ) -> Body {
    var body = Body(width: 30, height: 48, foot: Vector(x: x, y: y), touches: touches)
    body.velocity.y = speed
    return body
  }

  private func world(_ bodies: Body..., platforms: [Platform] = [Platform(x: 0, top: 0, width: 100)]) -> World {
    World(platforms: platforms, walls: -195...195, bodies: bodies)
  }

  @Test("Whoever rises passes a platform, and lands on it when falling")
  func oneWay() {
    var world = world(body(y: -50, speed: 700))
    var highest = -50.0
    while world.bodies[0].support == nil, world.bodies[0].foot.y > -60 {
      world.step()
      highest = max(highest, world.bodies[0].foot.y)
    }
    #expect(highest > 50)
    #expect(world.bodies[0].support == 0 && world.bodies[0].foot.y == 0 && world.bodies[0].contacts.landed == 0)
  }

  @Test("In the same step a platform holds one player and lets the other through")
  func perPlayer() {
    var world = world(body(y: 1, speed: -600), body(y: -1, speed: 600))
    world.step()
    #expect(world.bodies[0].support == 0)
    #expect(world.bodies[1].support == nil && world.bodies[1].foot.y > 0)
  }

  @Test("A platform of a category that a player does not touch is open for that player alone")
  func categories() {
    let other = Category(rawValue: 1 << 15)
    var world = world(
      body(y: 1, speed: -600), body(y: 1, speed: -600, touches: [.ground, other]),
      platforms: [Platform(x: 0, top: 0, width: 100, category: other)])
    world.step()
    #expect(world.bodies.map(\.support) == [nil, 0])
  }

  @Test(
    "The highest of several platforms on the way down holds, whatever their order and the speed",
    arguments: [[0, 1, 2], [2, 0, 1]])
  func first(order: [Int]) {
    let tops = [-20.0, -40, -5]
    var world = world(
      body(y: 0, speed: -9000), platforms: order.map { Platform(x: 0, top: tops[$0], width: 100) })
    world.step()
    #expect(world.bodies[0].foot.y == -5)
  }

  @Test("A platform is met where the way down crosses it, not where the step begins or ends")
  func swept() {
    // From beyond the left edge to beyond the right one in one step, through the top in the middle.
    var across = body(x: -150, y: 30, speed: -7200)
    across.velocity.x = 36_000
    var world = world(across)
    world.step()
    #expect(world.bodies[0].contacts.landed == 0)
  }

  @Test("Over an edge the ground is left once; beyond it begins the fall")
  func edge() {
    var world = world(body(y: 0))
    world.place(0, on: 0)
    world.bodies[0].steering = 1
    var left = 0
    while world.bodies[0].foot.y > -100 {
      world.step()
      left += world.bodies[0].contacts.leftGround ? 1 : 0
    }
    #expect(left == 1 && world.bodies[0].support == nil)
  }

  @Test("A wall stops at any speed and is left at once")
  func wall() {
    var world = world(body(y: 0))
    world.bodies[0].velocity.x = 9000
    for _ in 0..<10 { world.step() }
    #expect(world.bodies[0].foot.x <= 180 && world.bodies[0].velocity.x == 0)
    world.bodies[0].steering = -1
    world.step()
    #expect(world.bodies[0].foot.x < 180)
  }

  @Test("A hazard touches those below its top who can be touched")
  func hazard() {
    var world = world(body(y: 50, touches: .hazard(of: 0)), body(y: 50, touches: .hazard(of: 1)))
    world.hazards = [Hazard(top: 60, category: .hazard(of: 0))]
    world.step()
    #expect(world.bodies.map(\.contacts.isInHazard) == [true, false])
  }

  /// A debug build is slow: EngineBenchmark does the million steps.
  @Test("Thrown about at random, nobody tunnels, sticks or leaves the numbers", arguments: [1, 2, 3] as [UInt64])
  func sweep(seed: UInt64) {
    var sweep = PhysicsSweep(seed: seed)
    sweep.run(steps: 100_000)
    #expect(sweep.violations.isEmpty, "seed \(seed)")
    #expect(sweep.landings > 1000)
  }
}
