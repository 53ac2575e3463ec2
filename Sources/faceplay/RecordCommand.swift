// faceplay record: a source's pictures and gestures into a video file.
import Capture
import FacePlayService
import Frames
import GestureStream
import Gestures
import VideoEncoding

extension Command {
  static let record = Command(
    name: "record", summary: "record a camera's or clip's pictures with their gestures as MP4",
    operands: "CAMERA|CLIP", operandCount: 1...1,
    options: [
      Option(name: "-o", value: "FILE.mp4", summary: "a new file; the gesture stream goes to FILE.jsonl beside it"),
      Option(name: "--quality", value: "QUALITY", summary: "low, medium or high (the default): 2, 4 or 6 Mbit/s"),
      Option(
        name: "--overlay", value: nil,
        summary: "burn landmarks and meters into the picture: to look at, not to export again"),
      .profile, .engine, .keepRate,
    ]
  ) { arguments in
    let path = try arguments.output([".mp4"])
    try VideoRecording.check(path)
    let quality: EncodingSettings.Quality = try arguments.choice("--quality") ?? .high
    let data = DataFiles()
    let profile = try arguments.profile(data)
    let feed = try openFeed(arguments.operands[0], pace: .fast, options: arguments.feedOptions(), data: data)
    guard feed.source.kind != .trace else { throw CaptureError.noVideoStream(path: arguments.operands[0]) }
    feed.tellNotice()
    let recording = try VideoRecording(
      path: path, header: feed.header(profile: profile), settings: .booth(quality, frameRate: feed.source.fps),
      isLive: feed.source.kind == .camera, showsOverlay: arguments.has("--overlay")
    ) { printError("faceplay: the pictures' size has changed; going on in \($0)") }
    return try run(feed, profile, recording)
  }

  private static func run(
    _ feed: any ObservationFeed, _ profile: Profile, _ recording: VideoRecording
  ) throws -> ExitStatus {
    let isLive = feed.source.kind == .camera
    let session = GestureSession(profile: profile, isLive: isLive) { recording.tell($0) }
    // A clip's own time stands still with the process.
    let stop =
      isLive
      ? Interruption.Stop(
        before: { session.pause(at: MonotonicClock.now) }, after: { session.resume(at: MonotonicClock.now) })
      : Interruption.Stop()
    Interruption.call(stop) { feed.stop() }
    var progress = ProgressBar(duration: feed.duration)
    let failure = Result {
      try feed.run(
        { observation in
          session.process(observation)
          let bytes = try recording.check().bytes
          progress.show(recording.told, note: " · \(RecordingReport.size(bytes))")
        },
        onFrame: recording.add,
        onCondition: { condition in
          session.take(condition, at: MonotonicClock.now)
          printError("faceplay: \(condition)")
        })
    }
    session.end(.exit, dropped: feed.metrics.framesDropped)
    progress.clear()
    let finished = Result { try recording.finish() }
    printError(RecordingReport.text(recording.written, recording.told))
    try failure.get()
    _ = try finished.get()
    return isLive ? Interruption.liveStatus(default: .ok) : Interruption.status(default: feed.tellDamage())
  }
}

/// A recording in words.
enum RecordingReport {
  static func size(_ bytes: Int64) -> String { "\(number(Double(bytes) / 1e6, 1)) MB" }

  static func text(_ video: VideoRecording.Summary, _ stream: ClipExport.Summary) -> String {
    let dropped = video.dropped > 0 ? ", \(video.dropped) dropped" : ""
    return "\(video.files.joined(separator: ", ")): \(counted(video.frames, "frame"))\(dropped), "
      + "\(EventText.seconds(stream.reached)), \(size(video.bytes)); \(counted(stream.events, "event"))"
  }
}
