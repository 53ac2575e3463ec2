// faceplay track: a source in real time.
import Capture
import FacePlayService
import Frames
import GestureStream
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
    let output = try makeOutput(feed, profile, isStream: arguments.has("--stream"))
    let session = GestureSession(profile: profile, isLive: true) { output.tell($0) }
    defer { session.end(.exit, dropped: feed.metrics.framesDropped) }
    // Nobody keeps the leases of a process that is stopped.
    let stop = Interruption.Stop(before: { session.release(.paused, at: MonotonicClock.now) }, after: output.redraw)
    Interruption.call(stop) { feed.stop() }
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

  /// What is named, or else the first camera, or else the demo clip.
  private static func open(_ arguments: Arguments, _ data: DataFiles) throws -> any ObservationFeed {
    let options = try arguments.feedOptions()
    if let name = arguments.operands.first {
      return try openFeed(name, pace: .realTime, options: options, data: data)
    }
    do {
      return try openFeed(try CameraCatalogue.first(), options: options, data: data)
    } catch let error as CaptureError {
      printError("faceplay: \(error); playing the demo clip instead")
      return try openFeed(try data.path("clips/demo.mp4"), pace: .realTime, options: options, data: data)
    }
  }

  private static func makeOutput(
    _ feed: any ObservationFeed, _ profile: Profile, isStream: Bool
  ) throws -> any LiveOutput {
    if isStream {
      return try RecordWriter(
        path: "-", format: .jsonl, header: feed.header(profile: profile), isLive: true,
        cancellation: Interruption.cancellation)
    }
    guard TerminalScreen.isAvailable else { return try PlainOutput() }
    let title = LiveFigures.title(feed.source, profile)
    return TerminalOutput {
      let metrics = feed.metrics
      let latency = metrics.tracking.latency
      return LiveFigures(
        title: title, profile: profile,
        latency: latency.p50.flatMap { p50 in latency.p95.map { (Double(p50) / 1e6, Double($0) / 1e6) } },
        dropped: metrics.framesDropped)
    }
  }
}

extension LiveFigures {
  static func title(_ source: StreamHeader.Source, _ profile: Profile) -> String {
    "faceplay · \(source.name) \(source.width)×\(source.height) · sensitivity \(profile.name) · Ctrl-C ends"
  }
}
