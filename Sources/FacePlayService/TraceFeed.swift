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
  private let pace: Pace
  /// With what is wrong with the trace.
  private let reader: Mutex<(trace: TraceReader, damage: String?)>
  private let tracking = Mutex(StageMetrics())
  private let cancellation = Cancellation()

  /// Throws `CaptureError` or `StreamReadError`.
  init(path: String, pace: Pace) throws {
    let trace = try TraceReader(InputFile(descriptor: try openRegularFile(path), name: path))
    let header = trace.header
    source = StreamHeader.Source(
      kind: .trace, name: fileName(of: path), width: header.width, height: header.height, fps: header.fps)
    reader = Mutex((trace, nil))
    self.pace = pace
  }

  var damage: String? { reader.withLock { $0.damage } }

  var metrics: PipelineMetrics { PipelineMetrics(tracking: tracking.withLock { $0 }) }

  /// Traces are known by their extension.
  static func recognises(_ path: String) -> Bool { ExportFormat(path: path) == .landmarks }

  func run(
    _ deliver: (FaceObservation) throws -> Void, onFrame: (Frame, FaceObservation) -> Void,
    onCondition: @Sendable (CameraCondition) -> Void
  ) throws {
    var clock = PlaybackClock()
    while let observation = try next() {
      switch pace {
      case .fast:
        if cancellation.isCancelled { return }
        try deliver(observation)
      case .realTime:
        let due = clock.due(observation.timestamp, now: MonotonicClock.now)
        if cancellation.sleep(until: due) { return }
        try deliver(observation.retimed(to: due))
        tracking.withLock { $0.latency.record(MonotonicClock.now - due) }
      }
      tracking.withLock { tracking in
        tracking.framesIn += 1
        tracking.framesOut += 1
      }
    }
  }

  private func next() throws -> FaceObservation? {
    try reader.withLock { reader in
      let observation = try reader.trace.next()
      if reader.trace.isCutShort {
        reader.damage = "\(source.name) is cut short: its last frame breaks off"
      }
      return observation
    }
  }

  func stop() { cancellation.cancel() }
}

extension FaceObservation {
  /// The same at another time.
  func retimed(to timestamp: Int64) -> FaceObservation {
    FaceObservation(frameIndex: frameIndex, timestamp: timestamp, confidence: confidence, landmarks: landmarks)
  }
}
