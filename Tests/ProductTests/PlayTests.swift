// The game as a user meets it: the demo clip plays it, runs are kept, replayed and refused.
import CosmicAdventure
import Evaluation
import Fixtures
import Foundation
import GameEngine
import Gestures
import Testing

@Suite("Playing")
struct PlayTests {
  private let scratch = try! Scratch()

  /// A floor from wall to wall with the goal out of reach.
  private static let floor = """
    {"schema": "faceplay-level/1", "name": "floor", "title": "Floor", "halfWidth": 5000, "monsterSpeed": 1,
     "platforms": [{"x": 0, "top": 0, "width": 10000}, {"x": 4999, "top": 280, "width": 1}]}
    """

  @Test("The demo clip moves and jumps the character exactly as scripted")
  func demo() throws {
    try Program.run(["export", Checkout.demo, "-o", scratch.path("demo.jsonl")])
    var events = try Recording(path: scratch.path("demo.jsonl")).events[...]
    let truth = try Checkout.demoTruth()
    let (tilts, purses) = (try #require(truth.tilts), try #require(truth.purses))
    var run = GameRun(level: try Level(json: Data(Self.floor.utf8)))
    var jumps: [(time: Double, count: Int)] = []
    while run.game.time < 28_000_000_000 {
      while let event = events.first, event.timestamp <= run.game.time {
        run.take(event.event)
        events.removeFirst()
      }
      let before = run.game.players[0].jumpedAt
      run.step()
      let (player, speed) = (run.game.players[0], run.game.world.bodies[0].velocity.x)
      let time = Double(run.game.time) / 1e9
      if player.jumpedAt > before { jumps.append((time, player.isDoubleJumping ? 2 : 1)) }
      // Half a second after a tilt's script has ended the character stands, in the air too.
      let tilt = tilts.first { $0.start <= time && time <= $0.end + 0.5 }
      if let tilt {
        #expect(tilt.direction == .right ? speed >= 0 : speed <= 0, "at \(time)")
        if abs(time - (tilt.start + tilt.end) / 2) < 0.1 { #expect(speed != 0, "at \(time)") }
      } else {
        #expect(speed == 0, "at \(time)")
      }
    }
    #expect(jumps.map(\.count) == [1, 1, 1, 2, 1, 1, 2, 1])
    let script = try #require(truth.purse)
    for (jump, purse) in zip(jumps, purses) {
      // Within the 0.2 s that a purse may take from half way on, and a tick.
      let half = try #require(script.indices.first { Double($0) / 30 >= purse.start && script[$0] >= 0.5 })
      #expect((purse.start...(Double(half) / 30 + 0.2 + FixedStep.seconds)).contains(jump.time))
    }
  }

  @Test("On a terminal a clip plays a run that is kept, the terminal comes back, and the run replays to the same end")
  func terminal() throws {
    let clip = try scratch.clip("short.mp4", "-ss", "7.5", "-t", "5")
    let path = scratch.path("run.json")
    let played = try Program.run(
      [
        "-qec", "stty cols 100 rows 30; \(Program.executable.path()) play --terminal \(clip) --record \(path)",
        "/dev/null",
      ],
      executable: URL(filePath: "/usr/bin/script"),
      environment: ["TERM": "xterm", "XDG_DATA_HOME": scratch.path("home")])
    #expect(played.status == 0)
    #expect(played.output.contains("\u{1B}[?1049h") && played.output.contains("\u{1B}[?1049l\u{1B}[?25h"))
    let end = try #require(played.output.firstMatch(of: /gentle: given up after .* hash [0-9a-f]{16}/))
    let replayed = try Program.run(["play", "--replay", path])
    #expect(replayed.status == 0 && replayed.output == end.0 + "\n")
    #expect(!replayed.output.contains("\u{1B}"))
  }

  @Test("A run that is damaged, of another version or missing is refused with its reason and status")
  func refused() throws {
    let level = try Level(json: Data(contentsOf: Checkout.root.appending(path: "levels/orbit.json")))
    var run = GameRun(level: level)
    for _ in 0..<500 { run.step() }
    run.quit()
    run.step()
    let whole = String(decoding: run.record.json, as: UTF8.self)
    let cases = [
      (String(whole.prefix(whole.count / 2)), "no recorded run"),
      (whole.replacing("\"ticks\":501", with: "\"ticks\":499"), "damaged"),
      (whole.replacing("\"game\":\(Game.Constants.version)", with: "\"game\":99"), "version 99"),
      (whole.replacing("orbit", with: "../orbit"), "level"),
    ]
    for (text, reason) in cases {
      try Data(text.utf8).write(to: URL(filePath: scratch.path("run.json")))
      let outcome = try Program.run(["play", "--replay", scratch.path("run.json")])
      #expect(outcome.status == 65 && outcome.errors.contains(reason), "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
    #expect(try Program.run(["play", "--replay", scratch.path("none.json")]).status == 66)
  }

  @Test("Without a terminal, or with a level that is none, the game says what to do")
  func unavailable() throws {
    let piped = try Program.run(["play", "--terminal", Checkout.demo])
    #expect(piped.status == 69 && piped.errors.contains("terminal"))
    #expect(try Program.run(["play", "--terminal", "--level", "hell"]).status == 64)
    // In the browser levels are chosen on the page.
    #expect(try Program.run(["play", "--level", "comet"]).status == 64)
    #expect(try Program.run(["play", "--terminal", "--port", "0"]).status == 64)
  }

  @Test("A run that could not be kept is refused before the game, and so is the clip as its file")
  func record() throws {
    try Data("a clip".utf8).write(to: URL(filePath: scratch.path("clip.mp4")))
    func play(_ file: String) throws -> Int32 {
      try Program.run(["play", "--terminal", scratch.path("clip.mp4"), "--record", scratch.path(file)]).status
    }
    #expect(try play("no/run.json") == 73)
    #expect(try play("clip.mp4") == 64)
    #expect(try play("run.json") == 69)
    #expect(scratch.contents == ["clip.mp4"])
  }
}
