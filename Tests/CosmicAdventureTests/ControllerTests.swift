// From input events to jumps and back from the ground.
import GameEngine
import Gestures
import Testing

@testable import CosmicAdventure

@Suite("The bridge")
struct ControllerTests {
  private let purse = InputEvent.purse(.begin, strength: 1)
  private let relax = InputEvent.purse(.end, strength: nil)

  /// Plays a floor with these events before these ticks; the jumps made, as tick and count.
  private func jumps(_ events: [(Int, InputEvent)], ticks: Int = 400) throws -> [[Int]] {
    var run = GameRun(level: try Level.floor())
    var jumps: [[Int]] = []
    for tick in 0..<ticks {
      for (time, event) in events where time == tick { run.take(event) }
      let before = run.game.players[0].jumpedAt
      run.step()
      let player = run.game.players[0]
      if player.jumpedAt > before { jumps.append([tick, player.isDoubleJumping ? 2 : 1]) }
    }
    return jumps
  }

  @Test("A purse jumps in the next tick, a second one in the air jumps again, a third does not")
  func double() throws {
    let events = [(10, purse), (30, relax), (40, purse), (50, relax), (60, purse)]
    #expect(try jumps(events) == [[10, 1], [40, 2]])
  }

  @Test("A held purse jumps once, and the stream's own jump events do nothing")
  func held() throws {
    #expect(try jumps([(10, purse), (11, .jump(count: 1)), (60, .jump(count: 2))], ticks: 280) == [[10, 1]])
  }

  @Test("A purse just before landing jumps on landing, unless the face is lost meanwhile")
  func buffer() throws {
    let double = [(10, purse), (30, relax), (40, purse), (50, relax)]
    var run = GameRun(level: try Level.floor())
    repeat {
      for (time, event) in double where time == run.game.tick { run.take(event) }
      run.step()
    } while run.game.tick < 60 || run.game.world.bodies[0].support == nil
    let landing = run.game.tick
    let third = double + [(landing - 8, purse)]
    #expect(try jumps(third, ticks: landing + 20) == [[10, 1], [40, 2], [landing, 1]])
    let lost = third + [(landing - 4, .face(.lost))]
    #expect(try jumps(lost, ticks: landing + 20) == [[10, 1], [40, 2]])
  }

  @Test("Just after walking over an edge a purse is still a jump from the ground")
  func coyote() throws {
    var run = GameRun(level: try Level.of([(0, 0, 100), (0, 280, 100)]))
    run.take(.horizontal(1))
    while run.game.world.bodies[0].support != nil { run.step() }
    for _ in 0..<10 { run.step() }
    run.take(purse)
    run.step()
    #expect(run.game.world.bodies[0].velocity.y > 700 && !run.game.players[0].isDoubleJumping)
  }

  @Test(
    "Losing the face, or a release, stops the steering",
    arguments: [.face(.lost), .release(.stalled)] as [InputEvent])
  func lost(event: InputEvent) throws {
    var run = GameRun(level: try Level.floor())
    run.take(.horizontal(1))
    for _ in 0..<30 { run.step() }
    run.take(event)
    for _ in 0..<30 { run.step() }
    #expect(run.game.world.bodies[0].velocity.x == 0)
  }

  @Test("A purse held for 2.5 s brings the player back to the safe platform, once")
  func respawn() throws {
    var run = GameRun(level: try Level.floor())
    run.take(purse)
    for _ in 0..<300 { run.step() }
    #expect(run.game.players[0].respawns == 0 && run.respawnProgress() == 1)
    for _ in 0..<600 { run.step() }
    #expect(run.game.players[0].respawns == 1)
  }
}
