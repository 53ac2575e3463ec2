// Jumps and speeds, and that they do not depend on the step.
import GameEngine
import Testing

@Suite("Movement")
struct MovementTests {
  /// The heights of a jump, and of one with a second jump at its top.
  private func apex(seconds: Double, isDouble: Bool) -> Double {
    var body = Body(width: 30, height: 48, foot: .zero, touches: [])
    let movement = Movement()
    body.jump(speed: movement.jumpSpeed)
    var world = World(platforms: [], walls: -1000...1000, bodies: [body])
    var highest = 0.0
    var jumps = 1
    while world.bodies[0].foot.y >= 0 {
      world.step(seconds: seconds)
      highest = max(highest, world.bodies[0].foot.y)
      if isDouble, jumps == 1, world.bodies[0].velocity.y <= 0 {
        world.bodies[0].jump(speed: movement.secondJumpSpeed)
        jumps = 2
      }
    }
    return highest
  }

  @Test("A single jump clears one gap of 130 and not two, a double jump two and not three")
  func gaps() {
    #expect((150...180).contains(apex(seconds: FixedStep.seconds, isDouble: false)))
    #expect((290...340).contains(apex(seconds: FixedStep.seconds, isDouble: true)))
  }

  @Test("A jump is as high at any step", arguments: [30.0, 60, 120, 240, 1000])
  func height(rate: Double) {
    #expect(abs(apex(seconds: 1 / rate, isDouble: false) - 170.4) < 1.5)
  }

  @Test("Where steering leads does not depend on the step", arguments: [30.0, 60, 120, 240])
  func steering(rate: Double) {
    var body = Body(width: 30, height: 48, foot: .zero, touches: [])
    body.velocity.x = -200
    body.steering = 0.8
    var world = World(platforms: [], walls: -1000...1000, bodies: [body])
    for _ in 0..<Int(rate) { world.step(seconds: 1 / rate) }
    // −200 to 0 at 2400, 0 to 240 at 1400, then 240 points a second.
    let (turn, start) = (200.0 / 2400, 240.0 / 1400)
    let expected = -100 * turn + 120 * start + 240 * (1 - turn - start)
    #expect(abs(world.bodies[0].foot.x - expected) < 1e-6)
  }

  @Test("The top of a jump lasts longer and the fall is faster than the rise")
  func shape() {
    var body = Body(width: 30, height: 48, foot: .zero, touches: [])
    body.jump(speed: Movement().jumpSpeed)
    var world = World(platforms: [], walls: -1000...1000, bodies: [body])
    var (rising, hanging, falling) = (0, 0, 0)
    while world.bodies[0].foot.y >= 0 {
      world.step()
      let speed = world.bodies[0].velocity.y
      if speed > 150 { rising += 1 } else if speed > -150 { hanging += 1 } else { falling += 1 }
    }
    #expect(falling < rising && hanging > rising / 2)
  }

  @Test("Falling ends at the terminal speed")
  func terminal() {
    var world = World(
      platforms: [], walls: -1000...1000, bodies: [Body(width: 30, height: 48, foot: .zero, touches: [])])
    for _ in 0..<240 { world.step() }
    #expect(world.bodies[0].velocity.y == -Movement().terminalSpeed)
  }
}
