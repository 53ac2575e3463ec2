// A source's gestures or landmarks into a file.
import Capture
import FaceGeometry
import Frames
import GestureStream
import Gestures
import Synchronization

/// What an export writes.
public enum ExportFormat: String, Sendable, CaseIterable {
  /// The gesture stream as JSON Lines.
  case jsonl
  /// The gesture stream as a table, one row a frame.
  case csv
  /// A landmark trace.
  case landmarks

  /// By which files of it are known, in small letters.
  public var fileExtension: String {
    switch self {
    case .jsonl: ".jsonl"
    case .csv: ".csv"
    case .landmarks: ".fplm"
    }
  }

  /// What the path's extension stands for; `nil` where that is nothing of ours.
  public init?(path: String) {
    let path = path.lowercased()
    guard let format = Self.allCases.first(where: { path.hasSuffix($0.fileExtension) }) else { return nil }
    self = format
  }
}

/// Goes through a feed, a clip as fast as it can, and writes what it yields.
public final class ClipExport: Sendable {
  public struct Summary: Sendable {
    public var frames = 0
    public var events = 0
    /// Nanoseconds of the last frame from the first.
    public var reached: Int64 = 0
    /// Where the file is: elsewhere than was asked for when a clip or trace was not gone through.
    public var path = ""

    public init() {}

    mutating func add(_ record: StreamRecord) {
      switch record {
      case .frame(let frame):
        frames += 1
        reached = frame.timestamp
      case .event:
        events += 1
      case .header, .end:
        break
      }
    }
  }

  private let feed: any ObservationFeed
  private let profile: Profile
  private let format: ExportFormat
  private let onCondition: @Sendable (CameraCondition) -> Void
  private let cancellation = Cancellation()

  /// `onCondition` hears, on another thread, of each change in how a camera is doing.
  public init(
    _ feed: any ObservationFeed, profile: Profile, format: ExportFormat,
    onCondition: @escaping @Sendable (CameraCondition) -> Void
  ) {
    self.feed = feed
    self.profile = profile
    self.format = format
    self.onCondition = onCondition
  }

  /// From any thread: ends `run` soon. A camera's recording ends so; what there is of a clip gets a name of its own, so
  /// that a whole file is never replaced by a part.
  public func stop() {
    cancellation.cancel()
    feed.stop()
  }

  private var isPartial: Bool { !isLive && cancellation.isCancelled }

  /// Writes until the feed ends or is stopped, then closes the stream and gives the file its name; a failure leaves
  /// nothing under that name. `progress` is told after each frame. Throws `StreamWriteError` and what the feed throws.
  public func run(to path: String, progress: (Summary) -> Void) throws -> Summary {
    format == .landmarks ? try writeTrace(path, progress) : try writeStream(path, progress)
  }

  private var isLive: Bool { feed.source.kind == .camera }

  private func writeTrace(_ path: String, _ progress: (Summary) -> Void) throws -> Summary {
    let output = try OutputFile(path: path, cancellation: cancellation)
    let source = feed.source
    let header = TraceHeader(width: source.width, height: source.height, fps: source.fps)
    let writer = try TraceWriter(output, header: header)
    var summary = Summary()
    var start: Int64?
    try feed.run(
      { observation in
        let origin = start ?? observation.timestamp
        start = origin
        summary.reached = observation.timestamp - origin
        try writer.write(isLive ? observation.retimed(to: summary.reached) : observation)
        summary.frames += 1
        progress(summary)
      }, onCondition: onCondition)
    summary.path = path
    if isPartial { summary.path = try output.commitPartial() } else { try output.commit() }
    return summary
  }

  private func writeStream(_ path: String, _ progress: (Summary) -> Void) throws -> Summary {
    let writer = try RecordWriter(
      path: path, format: format, header: feed.header(profile: profile), cancellation: cancellation)
    let session = GestureSession(profile: profile, isLive: isLive) { writer.write($0) }
    try feed.run(
      { observation in
        session.process(observation)
        progress(try writer.check())
      },
      onCondition: { [onCondition] condition in
        session.take(condition, at: MonotonicClock.now)
        onCondition(condition)
      })
    session.end(.exit, dropped: feed.metrics.framesDropped)
    var summary = try writer.check()
    summary.path = path
    if isPartial { summary.path = try writer.commitPartial() } else { try writer.commit() }
    return summary
  }
}

extension ObservationFeed {
  /// The header of a stream made from this feed.
  public func header(profile: Profile) -> StreamHeader {
    StreamHeader(
      clock: source.kind == .camera ? .monotonic : .media, source: source, landmarkModel: landmarkModel,
      profile: profile)
  }
}
