// A camera that sees a puppet: its landmarks, and the bundled clip's pictures.
import Capture
import FaceGeometry
import FacePlayService
import Fixtures
import Frames
import GestureStream
import Synchronization

/// Thirty frames a second in real time.
final class SyntheticFeed: ObservationFeed {
  private static let interval = Int64(1e9 / Puppet.Constants.rate)

  let source = StreamHeader.Source(
    kind: .camera, name: "synthetic player", width: 640, height: 480, fps: Puppet.Constants.rate)
  let landmarkModel: String? = nil
  let duration: Int64? = nil
  let damage: String? = nil
  private let puppet = Mutex(Puppet())
  private let tracking = Mutex(StageMetrics())
  private let stopped = Cancellation()

  var metrics: PipelineMetrics { PipelineMetrics(tracking: tracking.withLock { $0 }) }

  func follow(_ line: String) { puppet.withLock { $0.follow(line) } }

  func run(
    _ deliver: (FaceObservation) throws -> Void, onFrame: (Frame, FaceObservation) -> Void,
    onCondition: @escaping @Sendable (CameraCondition) -> Void
  ) throws {
    var clip = try ClipSource(path: Checkout.demo, pace: .fast)
    let start = MonotonicClock.now
    for index in 0... {
      let due = start + Int64(index) * Self.interval
      if stopped.sleep(until: due) { return }
      let observation = FaceObservation(
        frameIndex: index, timestamp: due, confidence: 1, landmarks: puppet.withLock { $0.face()?.landmarks })
      try deliver(observation)
      tracking.withLock { tracking in
        tracking.framesIn += 1
        tracking.framesOut += 1
        tracking.latency.record(MonotonicClock.now - due)
      }
      var frame = try clip.next()
      if frame == nil {
        clip = try ClipSource(path: Checkout.demo, pace: .fast)
        frame = try clip.next()
      }
      if let frame { onFrame(frame.retimed(to: due), observation) }
    }
  }

  func stop() { stopped.cancel() }
}
