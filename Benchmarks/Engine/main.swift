// How fast the game runs and that its physics holds, as one JSON object on standard output. Build it for release.
//
// Usage: EngineBenchmark LEVEL [SEED]; fails when a step goes wrong or a core plays fewer steps than it must.
import CosmicAdventure
import Fixtures
import FoundationEssentials
import GameEngine
import Glibc

struct Figures: Encodable {
  /// Steps a second of CPU time on one core: the engine's world with one body, and a whole run with its rules, bridge
  /// and hash.
  let worldSteps: Double
  let runTicks: Double
  /// Random steps judged one by one, and what went wrong.
  let seed: UInt64
  let sweepSteps: Int
  let sweepLandings: Int
  let violations: [String]
}

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// How often `body` runs in a second.
func rate(_ count: Int, _ body: (Int) -> Void) -> Double {
  let start = cpuSeconds()
  for index in 0..<count { body(index) }
  return Double(count) / (cpuSeconds() - start)
}

/// A player who is never still: steering to and fro, a jump and a second one each second.
func worldRate(_ level: Level) -> Double {
  var world = Game(level: level).world
  return rate(2_000_000) { step in
    if step % 40 == 0 { world.bodies[0].steering = Double(step / 40 % 3 - 1) }
    if step % 120 == 0 { world.bodies[0].jump(speed: world.movement.jumpSpeed) }
    if step % 120 == 50 { world.bodies[0].jump(speed: world.movement.secondJumpSpeed) }
    if world.bodies[0].foot.y < -100 { world.place(0, on: step % world.platforms.count) }
    world.step()
  }
}

func runRate(_ level: Level) -> Double {
  var run = GameRun(level: level)
  return rate(500_000) { tick in
    if run.game.outcome != nil { run = GameRun(level: level) }
    if tick % 40 == 0 { run.take(.horizontal(Double(tick / 40 % 3 - 1))) }
    if tick % 50 == 0 { run.take(.purse(.begin, strength: nil)) }
    run.step()
  }
}

let arguments = CommandLine.arguments
guard arguments.count > 1, let file = try? Data(contentsOf: URL(filePath: arguments[1])) else {
  fatalError("usage: EngineBenchmark LEVEL [SEED]")
}
let level = try Level(json: file)
let seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 1 : 1
var sweep = PhysicsSweep(seed: seed)
sweep.run(steps: 1_000_000)
let figures = Figures(
  worldSteps: worldRate(level), runTicks: runRate(level), seed: seed, sweepSteps: sweep.steps,
  sweepLandings: sweep.landings, violations: sweep.violations)
let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
print(String(decoding: try encoder.encode(figures), as: UTF8.self))
/// Steps a second: four thousand times what one game needs.
let fewestSteps = 500_000.0
exit(figures.violations.isEmpty && figures.worldSteps >= fewestSteps ? 0 : 1)
