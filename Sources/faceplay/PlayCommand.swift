// faceplay play: Cosmic Adventure, by face or as it was recorded.
import Calibration
import Capture
import CosmicAdventure
import FacePlayService
import Frames
import GameEngine
import GestureStream
import Gestures
import Synchronization

extension Command {
  static let play = Command(
    name: "play", summary: "play Cosmic Adventure in a browser or in the terminal", operands: "[CAMERA|CLIP]",
    operandCount: 0...1,
    options: [
      Option(name: "--source", value: "SOURCE", summary: "as CAMERA|CLIP"),
      Option(name: "--port", value: "PORT", summary: "of the page, 8765 unless said"),
      Option(name: "--no-open", value: nil, summary: "open no browser; its address is printed"),
      Option(name: "--terminal", value: nil, summary: "draw the game in this terminal"),
      Option(name: "--level", value: "LEVEL", summary: "\(Level.names.joined(separator: ", ")); gentle unless said"),
      Option(name: "--record", value: "FILE", summary: "keep each run: FILE.mp4 with its video, FILE.json alone"),
      Option(name: "--replay", value: "FILE", summary: "show a recorded run again"),
      Option(
        name: "--profile", value: "NAME",
        summary: "yours (\(Profile.ownName)) once there is one, else medium; see track --help"),
      .engine, .keepRate,
    ]
  ) { arguments in
    if let path = arguments["--replay"] { return try replay(path) }
    let others = arguments.has("--terminal") ? ["--port", "--no-open"] : ["--level"]
    if let other = others.first(where: { arguments.has($0) || arguments[$0] != nil }) {
      throw UsageError.notTogether(other, isWith: arguments.has("--terminal"))
    }
    return try arguments.has("--terminal") ? play(arguments, DataFiles()) : serve(arguments, DataFiles())
  }

  private static func play(_ arguments: Arguments, _ data: DataFiles) throws -> ExitStatus {
    var playthrough = try arguments.playthrough(data)
    let profile = try arguments.playerProfile(data)
    let path = try arguments.runFile()
    guard TerminalScreen.isAvailable else { throw PlayError.noTerminal }
    let best = try KeptBestTimes(profile: profile, store: ProfileStore()) { printError("faceplay: \($0)") }
    playthrough.bestTimes = best.times
    let feed = try open(arguments, data)
    feed.tellNotice()
    let terminal = GameTerminal(profile: profile)
    return try play(playthrough, profile, feed, terminal, path, best)
  }

  private static func play(
    _ playthrough: Playthrough, _ profile: Profile, _ feed: any ObservationFeed, _ terminal: GameTerminal,
    _ path: String?, _ best: KeptBestTimes
  ) throws -> ExitStatus {
    let summary = Mutex<[String]>([])
    let runs = try path.map {
      try RunFiles(
        path: $0, header: feed.header(profile: profile),
        onSaved: { file in summary.withLock { $0.append("kept in \(file)") } },
        onFailure: { terminal.tell("The recording has stopped; see the end.") })
    }
    let onScene: @Sendable (GameScene) -> Void = {
      terminal.show($0)
      runs?.tell($0.phase, tick: $0.game.tick, at: $0.time)
    }
    let onRun: @Sendable (GameRun) -> Void = { run in
      summary.withLock { $0.append(run.text) }
      runs?.add(run)
      best.add(run.game)
    }
    let game = GameSession(playthrough, onScene: onScene, onRun: onRun)
    let session = GestureSession(profile: profile, isLive: true) { record in
      terminal.tell(record)
      game.tell(record)
      runs?.tell(record)
    }
    let stop = Interruption.Stop(
      before: { session.pause(at: MonotonicClock.now) },
      after: {
        session.resume(at: MonotonicClock.now)
        terminal.redraw()
      })
    Interruption.call(stop) { feed.stop() }
    let result = Result {
      try feed.run(
        { session.process($0) },
        onFrame: { runs?.add($0, $1) },
        onCondition: { condition in
          session.take(condition, at: MonotonicClock.now)
          terminal.tell(condition)
        })
    }
    session.end(.exit, dropped: feed.metrics.framesDropped)
    game.end()
    terminal.end()
    let kept = Result { try runs?.finish() }
    for line in summary.withLock({ $0 }) { try printResult(line) }
    if feed.source.kind != .camera, !Interruption.cancellation.isCancelled {
      printError("faceplay: \(feed.source.name) is over, and with it the game")
    }
    try result.get()
    try kept.get()
    try best.check()
    return Interruption.liveStatus(default: feed.tellDamage())
  }

  /// In its own time on a terminal; anywhere else only how it ended.
  private static func replay(_ path: String) throws -> ExitStatus {
    var replay = try RunReplay(contentsOf: path, data: DataFiles())
    let terminal = TerminalScreen.isAvailable ? GameTerminal(profile: Profile()) : nil
    Interruption.call(Interruption.Stop(after: { terminal?.redraw() })) {}
    if let terminal {
      defer { terminal.end() }
      let cancellation = Interruption.cancellation
      var pacer = FixedStep(startingAt: MonotonicClock.now)
      var isGoing = true
      while isGoing, !cancellation.sleep(until: MonotonicClock.now + GameSession.Constants.sceneInterval) {
        for _ in 0..<pacer.take(until: MonotonicClock.now) where isGoing { isGoing = replay.step() }
        terminal.show(GameScene(replaying: replay.run.game, at: MonotonicClock.now))
      }
      _ = cancellation.sleep(until: MonotonicClock.now + 2_000_000_000)
    }
    while replay.step() {}
    try printResult(replay.run.text)
    return Interruption.status(default: .ok)
  }
}

extension Arguments {
  /// All levels, beginning with the one named by `--level`. Throws `UsageError`, `DataFileError` or `LevelFileError`.
  fileprivate func playthrough(_ data: DataFiles) throws -> Playthrough {
    let name = self["--level"] ?? Level.names[0]
    guard let index = Level.names.firstIndex(of: name) else {
      throw UsageError.badValue(option: "--level", value: name, must: "be \(Level.names.alternatives)")
    }
    return Playthrough(levels: try Level.names.map { try Level.named($0, in: data) }, startingWith: index)
  }
}

enum PlayError: Error, CustomStringConvertible {
  case noTerminal

  var description: String {
    "standard output is no terminal that a game can be drawn on; run this in a terminal, without a pipe"
  }
}
