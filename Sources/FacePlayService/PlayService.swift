// faceplay in a browser: one feed, one player, one game, and the pages that show them.
import Calibration
import Capture
import CosmicAdventure
import FaceGeometry
import Frames
import GestureStream
import Gestures
import Synchronization
import WebService

/// Wires the pipeline to the pages. Frames come on the feed's thread, messages on the server's; everything that has a
/// state (the game, the calibration, the settings) belongs to the desk's thread alone.
public final class PlayService: Sendable {
  public struct Constants {
    /// Nanoseconds between world snapshots: 60 a second.
    static let worldInterval: Int64 = 16_666_667
    /// Nanoseconds between statuses.
    static let statusInterval: Int64 = 1_000_000_000
    /// The points drawn over the preview: every third says as much as all.
    static let landmarkStride = 3
  }

  private let feed: any ObservationFeed
  private let server: PageServer
  private let session: GestureSession
  private let pictures: LivePictures
  private let desk: Desk
  private let runs: RunFiles?
  private let start = Mutex<Int64?>(nil)

  /// `isDemo` says that the feed stands in for a camera that is not there. `profile` is kept in `store` when it changes. `log`
  /// takes lines for people. Runs are kept at `runs`, if that is said, as `RunFiles` does. Throws
  /// `DataFileError`, `LevelFileError`, `CalibrationScriptError`, `PlayerInUseError` or `CaptureError`.
  public init(
    feed: any ObservationFeed, isDemo: Bool = false, profile: Profile, store: ProfileStore, data: DataFiles,
    server: PageServer, runs: String? = nil, log: @escaping @Sendable (String) -> Void
  ) throws {
    self.feed = feed
    self.server = server
    let desk = try Desk(
      profile: profile, isDemo: isDemo, store: store, data: data, server: server,
      recordings: Recordings(feed: feed, folder: Recordings.folder(beside: store.folder)), log: log)
    let runs = try runs.map {
      try RunFiles(
        path: $0, header: feed.header(profile: profile), onSaved: { desk.tell(saved: $0) },
        onFailure: { desk.tell(failure: "the run's recording has stopped; the game goes on") })
    }
    self.runs = runs
    self.desk = desk
    session = GestureSession(profile: profile, isLive: true) { record in
      desk.tell(record)
      runs?.tell(record)
      switch record {
      case .frame: if let line = try? record.jsonLine() { server.broadcast(text: line, key: .frame) }
      case .event: if let line = try? record.jsonLine() { server.broadcast(text: line, key: nil) }
      case .header, .end: break
      }
    }
    pictures = LivePictures(server) { log("the pictures are not shown: \($0)") }
  }

  /// What the source's user is to be told; see `ObservationFeed`.
  public var notice: String? { feed.notice }

  /// Serves until a camera ends or `stop()` is called. Throws `PageServerError`, what the feed throws, and what kept a
  /// run from being written.
  public func run() throws {
    try server.start(
      PageServer.Handlers(
        event: { [desk, pictures] event in
          if case .wantsKeyFrame = event { pictures.requestKeyFrame() } else { desk.tell(event) }
        },
        report: { [self] in report },
        log: { [desk] in desk.log($0) }))
    desk.begin(session, feed, runs)
    let result = Result { try play() }
    session.end(.exit, dropped: feed.metrics.framesDropped)
    desk.end()
    let kept = Result { try runs?.finish() }
    pictures.end()
    server.stop()
    try result.get()
    try kept.get()
  }

  private func play() throws {
    try feed.run(
      { [session, desk] observation in
        desk.tell(observation)
        session.process(observation)
      },
      onFrame: { [self] frame, observation in
        desk.record(frame, observation)
        runs?.add(frame, observation)
        show(frame, observation)
      },
      onCondition: { [session, desk] condition in
        session.take(condition, at: MonotonicClock.now)
        desk.tell(condition)
      })
  }

  /// To the pages that watch.
  private func show(_ frame: Frame, _ observation: FaceObservation) {
    let start = start.withLock { start in
      start = start ?? frame.timestamp
      return start!
    }
    if server.viewerCount > 0 { pictures.show(frame.retimed(to: frame.timestamp - start)) }
    guard server.landmarkViewerCount > 0, let points = observation.landmarks?.points else { return }
    let shares = stride(from: 0, to: points.count, by: Constants.landmarkStride).map {
      SIMD2(points[$0].x / Float(frame.width), points[$0].y / Float(frame.height))
    }
    server.broadcast(landmarks: shares, time: frame.timestamp - start)
  }

  /// Makes `run` return soon; from any thread.
  public func stop() { feed.stop() }

  private var report: ServiceReport {
    let (metrics, latency) = (feed.metrics, feed.metrics.tracking.latency)
    return ServiceReport(
      trouble: desk.trouble,
      metrics: [
        Metric(
          "frames_total", .counter, help: "Frames analysed.", value: Double(metrics.tracking.framesOut)),
        Metric("frames_dropped_total", .counter, help: "Frames never analysed.", value: Double(metrics.framesDropped)),
        Metric(
          "latency_seconds", .gauge, help: "From a frame's time to its events.",
          samples: [("quantile=\"0.5\"", latency.p50), ("quantile=\"0.95\"", latency.p95)].map {
            ($0, Double($1 ?? 0) / 1e9)
          }),
        Metric(
          "pictures_encoded_total", .counter, help: "Pictures encoded for pages that watch.",
          value: Double(pictures.count)),
        Metric(
          "start_seconds", .gauge, help: "The first frame's time, from which all others count, by CLOCK_MONOTONIC.",
          value: Double(start.withLock { $0 ?? 0 }) / 1e9),
      ])
  }
}
