// faceplay track: a source in real time.
import Calibration
import FacePlayService
import Frames
import Gestures

extension Command {
  static let track = Command(
    name: "track", summary: "follow a face in real time and show what it does", operands: "[CAMERA|CLIP]",
    operandCount: 0...1, options: [.profile, .engine, .stream, .keepRate]
  ) { arguments in
    let data = DataFiles()
    let profile = try arguments.profile(data)
    let feed = try open(arguments, data)
    feed.tellNotice()
    let panel = ControlPanel(
      LiveControls(profile, isOwn: try arguments.profileChoice().isSaved), store: ProfileStore())
    let output = try makeOutput(feed, profile, panel, isStream: arguments.has("--stream"))
    let session = GestureSession(profile: profile, isLive: true) { output.tell($0) }
    defer { session.end(.exit, dropped: feed.metrics.framesDropped) }
    let takesKeys = output is TerminalOutput && TerminalKeys.areAvailable
    let keys = takesKeys ? TerminalKeys { panel.press($0, in: session) } : nil
    // Nobody keeps the leases of a process that is stopped.
    let stop = Interruption.Stop(
      before: { session.pause(at: MonotonicClock.now) },
      after: {
        keys?.resume()
        if !panel.controls.isPaused { session.resume(at: MonotonicClock.now) }
        output.redraw()
      })
    Interruption.call(stop) { feed.stop() }
    defer {
      keys?.stop()
      panel.tellUnsaved()
    }
    try feed.run(
      { observation in
        session.process(observation)
        try output.check()
      },
      onCondition: { condition in
        session.take(condition, at: MonotonicClock.now)
        output.tell(condition)
      })
    session.end(.exit, dropped: feed.metrics.framesDropped)
    try output.finish(latency: feed.metrics.tracking.latency)
    return Interruption.liveStatus(default: feed.tellDamage())
  }

  private static func makeOutput(
    _ feed: any ObservationFeed, _ profile: Profile, _ panel: ControlPanel, isStream: Bool
  ) throws -> any LiveOutput {
    if isStream {
      return try RecordWriter(
        path: "-", format: .jsonl, header: feed.header(profile: profile), isLive: true,
        cancellation: Interruption.cancellation)
    }
    guard TerminalScreen.isAvailable else { return try PlainOutput() }
    let source = feed.source
    return TerminalOutput {
      let metrics = feed.metrics
      let latency = metrics.tracking.latency
      let controls = panel.controls
      return LiveFigures(
        title: LiveFigures.title(source, controls.profile), profile: controls.profile,
        latency: latency.p50.flatMap { p50 in latency.p95.map { (Double(p50) / 1e6, Double($0) / 1e6) } },
        dropped: metrics.framesDropped, controls: TerminalKeys.areAvailable ? controls : nil)
    }
  }
}
