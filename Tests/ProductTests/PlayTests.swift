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

  private func play(_ clip: String, recordingTo path: String) throws -> Terminal {
    try Terminal(
      [Program.executable.path(), "play", "--terminal", clip, "--record", path],
      environment: ["XDG_DATA_HOME": scratch.path("home")])
  }

  /// What ffprobe counts of a file's first video or text track.
  private func packets(_ path: String, _ track: String) throws -> Int? {
    let outcome = try Program.run(
      [
        "ffprobe", "-v", "error", "-select_streams", "\(track):0", "-count_packets", "-show_entries",
        "stream=nb_read_packets", "-of", "csv=p=0", path,
      ], executable: URL(filePath: "/usr/bin/env"))
    return Int(outcome.output.prefix { $0.isNumber })
  }

  private func decodes(_ path: String, _ options: String...) throws -> Bool {
    try Program.run(
      ["ffmpeg", "-v", "error", "-xerror", "-i", path] + options + ["-f", "null", "-"],
      executable: URL(filePath: "/usr/bin/env")
    ).status == 0
  }

  @Test("A run on video is H.264 and its gestures as text, can be exported, and replays to the same end")
  func video() throws {
    let clip = try scratch.clip("short.mp4", "-ss", "13", "-t", "8")
    let path = scratch.path("run.mp4")
    let played = try play(clip, recordingTo: path).finish()
    let end = try #require(played.firstMatch(of: /gentle: given up after .* hash [0-9a-f]{16}/))
    let replayed = try Program.run(["play", "--replay", path])
    #expect(replayed.status == 0 && replayed.output == end.0 + "\n")

    #expect(try decodes(path))
    let profile = try Program.run(
      ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,profile", "-of", "csv=p=0", path],
      executable: URL(filePath: "/usr/bin/env"))
    #expect(
      profile.output.split(separator: "\n").map { $0.prefix(25) } == ["h264,Constrained Baseline", "mov_text,unknown"])
    let stream = try Recording(path: scratch.path("run.jsonl"))
    // A busy machine leaves pictures out of either, a few at most.
    let frames = try #require(try packets(path, "v"))
    #expect(!stream.isCutShort && stream.frames.count > 30 && abs(frames - stream.frames.count) <= frames / 10)
    #expect(try packets(path, "s") ?? 0 >= frames)

    try Program.run(["export", path, "-o", scratch.path("again.jsonl")])
    let again = try Recording(path: scratch.path("again.jsonl"))
    #expect(again.frames.count == frames && again.events.contains(where: \.event.isGesture))
  }

  @Test("A run that is killed leaves a video that plays and its stream, and a replay says that there is no whole run")
  func killed() throws {
    let path = scratch.path("run.mp4")
    let terminal = try play(Checkout.demo, recordingTo: path)
    func size() -> Int { (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0 }
    try #require(terminal.wait(for: "\u{1B}[?1049h"))
    while size() < 400_000, terminal.process.isRunning { sched_yield() }
    let group = terminal.foreground
    // 0 and −1 are this process's own group, and everybody.
    try #require(group > 1)
    kill(group, SIGKILL)
    _ = terminal.finish()
    // The second that was being written may be a part of one.
    #expect(try decodes(path, "-frames:v", "30"))
    let frames = try #require(try packets(path, "v"))
    let stream = try Recording(path: scratch.path("run.jsonl"))
    #expect(frames >= 30 && stream.isCutShort && stream.frames.count >= frames)
    #expect(scratch.contents.filter { $0 != "home" } == ["run.jsonl", "run.mp4"])
    let replayed = try Program.run(["play", "--replay", path])
    #expect(replayed.status == 65 && replayed.errors.contains("no whole run") && replayed.output.isEmpty)
  }

  @Test(
    "A full disk is said beside the game and at the end, the game goes on, and there is a video up to it",
    .enabled(if: geteuid() == 0, "skipped: only root may mount a small disk"))
  func diskFull() throws {
    let disk = scratch.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let env = URL(filePath: "/usr/bin/env")
    try #require(
      Program.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", disk], executable: env).status == 0)
    defer { _ = try? Program.run(["umount", disk], executable: env) }
    let clip = try scratch.clip("short.mp4", "-ss", "13", "-t", "8")
    let terminal = try play(clip, recordingTo: disk + "/run.mp4")
    let shown = terminal.finish()
    #expect(terminal.process.terminationStatus == 74 && shown.contains("stopped;"))
    #expect(shown.contains(/gentle: given up after .* hash [0-9a-f]{16}/) && shown.contains("the disk is full"))
    #expect(try decodes(disk + "/run.mp4"))
    #expect(try packets(disk + "/run.mp4", "v") ?? 0 >= 30)
  }

  @Test("What cannot be read as a run is refused at once: a pipe, a device, a folder, a video without one")
  func noRun() throws {
    let pipe = scratch.path("pipe.mp4")
    #expect(mkfifo(pipe, 0o600) == 0)
    for (path, status, reason) in [
      (pipe, 66, "pipe"), ("/dev/zero", 66, "device"), (scratch.folder.path(), 66, "folder"),
      (Checkout.demo, 65, "no whole run"),
    ] {
      let outcome = try Program.run(["play", "--replay", path])
      #expect(outcome.status == status && outcome.errors.contains(reason), "\(outcome.errors)")
    }
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

  @Test("A source that ends without a single frame is not played again and again")
  func nothingToPlay() throws {
    let header = #"{"schema":"faceplay.landmarks/1","points":478,"width":640,"height":480,"fps":30,"scale":16}"#
    try Data((header + "\n").utf8).write(to: URL(filePath: scratch.path("none.fplm")))
    let outcome = try Program.run(["play", "--no-open", "--port", "0", scratch.path("none.fplm")])
    #expect(outcome.status == 65 && outcome.errors.contains("no picture"), "\(outcome.errors)")
  }

  @Test("A run that could not be kept is refused before the game, and so is the clip as its file")
  func record() throws {
    try Data("a clip".utf8).write(to: URL(filePath: scratch.path("clip.mp4")))
    func play(_ file: String) throws -> Int32 {
      try Program.run(["play", "--terminal", scratch.path("clip.mp4"), "--record", scratch.path(file)]).status
    }
    #expect(try play("no/run.json") == 73)
    #expect(try play("clip.mp4") == 64)
    #expect(try play("run.avi") == 64)
    #expect(try play(".mp4") == 64)
    #expect(try play("no/run.mp4") == 73)
    #expect(try play("run.json") == 69)
    #expect(try play("run.mp4") == 69)
    #expect(scratch.contents == ["clip.mp4"])
    // A clip's own stream, say.
    for name in ["run.mp4", "run.jsonl"] {
      try Data("mine".utf8).write(to: URL(filePath: scratch.path(name)))
      #expect(try play("run.mp4") == 73)
      #expect(try String(contentsOfFile: scratch.path(name), encoding: .utf8) == "mine")
      try FileManager.default.removeItem(atPath: scratch.path(name))
    }
  }
}
