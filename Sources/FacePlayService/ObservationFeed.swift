// Where observations come from: video through the tracker, or a landmark trace.
import Capture
import FaceGeometry
import FaceTracking
import Frames
import GestureStream
import Gestures
import Glibc

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

  /// Delivers observations in order until the source ends, `stop()` is called or `deliver` throws. Throws what the
  /// source, the tracker or `deliver` throws.
  func run(_ deliver: (FaceObservation) throws -> Void) throws

  /// Makes `run` return soon; from any thread.
  func stop()
}

/// Opens a clip or a landmark trace, whichever the file is. Throws `CaptureError`, `FaceTrackerError`,
/// `StreamReadError` or `DataFileError`.
public func openFeed(_ path: String, pace: Pace, data: DataFiles) throws -> any ObservationFeed {
  if TraceFeed.recognises(path) {
    guard !isPipe(path) else { throw CaptureError.notARegularFile(path: path) }
    return try TraceFeed(path: path, pace: pace)
  }
  let clip = try ClipSource(path: path, pace: pace == .fast ? .fast : .realTime)
  let tracker = try FaceTracker(modelsDirectory: try data.path("models"))
  return VideoFeed(clip, duration: clip.duration, isLive: pace == .realTime, tracker: tracker)
}

/// Opening a pipe would wait for whoever writes it.
private func isPipe(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
}
