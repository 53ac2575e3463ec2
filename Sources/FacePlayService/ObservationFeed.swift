// Where observations come from: a camera or clip through the tracker, or a landmark trace.
import Capture
import FaceGeometry
import FaceTracking
import FoundationEssentials
import Frames
import GestureStream
import Gestures

/// How fast a clip or trace is gone through.
public enum Pace: Sendable {
  /// As fast as possible, every frame; times are media time.
  case fast
  /// Each frame at its time as from a camera, late ones dropped; times are CLOCK_MONOTONIC.
  case realTime
}

/// What the stages before the recognisers have done so far.
public struct PipelineMetrics: Sendable, Equatable {
  /// Reading: the time to make each frame.
  public var capture = StageMetrics()
  /// Tracking: live, the time from each frame's timestamp to its events having been told.
  public var tracking = StageMetrics()

  public init(capture: StageMetrics = StageMetrics(), tracking: StageMetrics = StageMetrics()) {
    (self.capture, self.tracking) = (capture, tracking)
  }

  /// Frames that were never analysed.
  public var framesDropped: Int { capture.framesDropped + tracking.framesDropped }
}

/// A source with its tracker. `run` is called once.
public protocol ObservationFeed: AnyObject, Sendable {
  var source: StreamHeader.Source { get }
  /// `sha256:…` of the landmark network; `nil` when the landmarks come from a file.
  var landmarkModel: String? { get }
  /// Nanoseconds; `nil` when not known.
  var duration: Int64? { get }
  var metrics: PipelineMetrics { get }
  /// What the user is to be told of how faces are tracked, if anything.
  var notice: String? { get }

  /// What is wrong with the source, in words, known once it has been read to its end; `nil` if nothing is.
  var damage: String? { get }

  /// Delivers observations in order until the source ends, `stop()` is called or `deliver` throws. `onFrame` is called
  /// after each with the frame it was made of, where there are frames. `onCondition` hears, on another thread, of each
  /// change in how a camera is doing. Throws what the source, the tracker or `deliver` throws.
  func run(
    _ deliver: (FaceObservation) throws -> Void, onFrame: (Frame, FaceObservation) -> Void,
    onCondition: @escaping @Sendable (CameraCondition) -> Void) throws

  /// Makes `run` return soon; from any thread.
  func stop()
}

extension ObservationFeed {
  public var notice: String? { nil }

  public func run(
    _ deliver: (FaceObservation) throws -> Void, onCondition: @escaping @Sendable (CameraCondition) -> Void = { _ in }
  ) throws {
    try run(deliver, onFrame: { _, _ in }, onCondition: onCondition)
  }
}

/// How a feed is made of its source.
public struct FeedOptions: Sendable {
  /// For cameras: see `CameraSource`.
  public var keepsRate = false
  /// What computes the landmarks of clips and cameras; the fastest that can be had unless said.
  public var engine: LandmarkEngine?

  public init() {}
}

/// Opens what `name` names: a clip or landmark trace by its path, a camera by its path, link or name. Throws
/// `CaptureError`, `FaceTrackerError`, `StreamReadError` or `DataFileError`.
public func openFeed(
  _ name: String, pace: Pace, options: FeedOptions = FeedOptions(), data: DataFiles
) throws -> any ObservationFeed {
  if TraceFeed.recognises(name) { return try TraceFeed(path: name, pace: pace) }
  if namesCamera(name) { return try openFeed(try CameraCatalogue.camera(name), options: options, data: data) }
  let clip = try ClipSource(path: name, pace: pace == .fast ? .fast : .realTime)
  let tracker = try FaceTracker(modelsDirectory: try data.path("models"), engine: options.engine)
  return VideoFeed(clip, duration: clip.duration, isLive: pace == .realTime, tracker: tracker)
}

/// Opens a clip or a camera for its pictures alone; a clip's come as fast as they are asked for. Throws `CaptureError`.
public func openVideo(_ name: String, options: FeedOptions = FeedOptions()) throws -> any VideoSource {
  guard !TraceFeed.recognises(name) else { throw CaptureError.noVideoStream(path: name) }
  guard namesCamera(name) else { return try ClipSource(path: name, pace: .fast) }
  return try CameraSource(try CameraCatalogue.camera(name), keepsRate: options.keepsRate)
}

/// Opens a camera. Throws `CaptureError`, `FaceTrackerError` or `DataFileError`.
public func openFeed(
  _ camera: Camera, options: FeedOptions = FeedOptions(), data: DataFiles
) throws -> any ObservationFeed {
  // The networks first: a camera that runs should find somebody who takes its frames.
  let tracker = try FaceTracker(modelsDirectory: try data.path("models"), engine: options.engine)
  let source = try CameraSource(camera, keepsRate: options.keepsRate)
  return VideoFeed(source, duration: nil, isLive: true, tracker: tracker)
}

/// Devices are cameras; a file is a clip, and so is what is written as a path; any other name is a camera's.
private func namesCamera(_ name: String) -> Bool {
  if name.hasPrefix("/dev/video") || name.hasPrefix("/dev/v4l/") { return true }
  return !name.contains("/") && !FileManager.default.fileExists(atPath: name)
}
