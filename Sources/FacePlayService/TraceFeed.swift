// A landmark trace instead of video.
import Capture
import FaceGeometry
import Frames
import GestureStream
import Synchronization

/// Observations as a tracker wrote them down.
final class TraceFeed: ObservationFeed {
  let source: StreamHeader.Source
  let landmarkModel: String? = nil
  let duration: Int64? = nil
  private let path: String
  private let pace: Pace
  private let tracking = Mutex(StageMetrics())
  /// Only ever closed: waiting on it until a frame is due is a sleep that `stop()` ends.
  private let stopped = NewestSlot<Never>()

  init(path: String, pace: Pace) throws(StreamReadError) {
    let header = try TraceReader(InputFile(path: path)).header
    source = StreamHeader.Source(
      kind: .trace, name: path.split(separator: "/").last.map(String.init) ?? path, width: header.width,
      height: header.height, fps: header.fps)
    self.path = path
    self.pace = pace
  }

  var metrics: PipelineMetrics { PipelineMetrics(tracking: tracking.withLock { $0 }) }

  /// Traces are known by their extension.
  static func recognises(_ path: String) -> Bool { path.lowercased().hasSuffix(".fplm") }

  func run(
    _ deliver: (FaceObservation) throws -> Void, onFrame: (Frame, FaceObservation) -> Void,
    onCondition: @Sendable (CameraCondition) -> Void
  ) throws {
    var reader = try TraceReader(InputFile(path: path))
    var start: Int64?
    while let observation = try reader.next() {
      switch pace {
      case .fast:
        if case .closed = stopped.take(until: 0) { return }
        try deliver(observation)
      case .realTime:
        let origin = start ?? MonotonicClock.now - observation.timestamp
        start = origin
        let due = origin + observation.timestamp
        if case .closed = stopped.take(until: due) { return }
        try deliver(observation.retimed(to: due))
        tracking.withLock { $0.latency.record(MonotonicClock.now - due) }
      }
      tracking.withLock { tracking in
        tracking.framesIn += 1
        tracking.framesOut += 1
      }
    }
  }

  func stop() { stopped.close() }
}

extension FaceObservation {
  /// The same at another time.
  func retimed(to timestamp: Int64) -> FaceObservation {
    FaceObservation(frameIndex: frameIndex, timestamp: timestamp, confidence: confidence, landmarks: landmarks)
  }
}
