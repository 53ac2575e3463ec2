// A camera and tracker in one: a face made of numbers, 30 times a second.
import Capture
import FaceGeometry
import Fixtures
import Foundation
import Frames
import GestureStream
import Synchronization

@testable import FacePlayService

final class SyntheticCamera: ObservationFeed {
  private struct State {
    var face: SyntheticFace?
    var metrics = PipelineMetrics()
  }

  private static let interval: Int64 = 33_333_333
  /// Pixels.
  private static let side = 64

  let source = StreamHeader.Source(kind: .camera, name: "synthetic", width: side, height: side, fps: 30)
  let landmarkModel: String? = nil
  let duration: Int64? = nil
  let damage: String? = nil
  private let state: Mutex<State>
  private let stopped = Cancellation()
  /// Held while the tracker is blocked.
  private let gate = NSLock()

  init(face: SyntheticFace?) { state = Mutex(State(face: face)) }

  var metrics: PipelineMetrics { state.withLock { $0.metrics } }

  /// What stands before the camera from the next frame on.
  var face: SyntheticFace? {
    get { state.withLock { $0.face } }
    set { state.withLock { $0.face = newValue } }
  }

  /// Until `unblock` no frame comes out.
  func block() { gate.lock() }

  func unblock() { gate.unlock() }

  func run(
    _ deliver: (FaceObservation) throws -> Void, onFrame: (Frame, FaceObservation) -> Void,
    onCondition: @escaping @Sendable (CameraCondition) -> Void
  ) throws {
    var index = 0
    var next = MonotonicClock.now
    while !stopped.sleep(until: next) {
      gate.withLock {}
      let now = MonotonicClock.now
      let observation = FaceObservation(
        frameIndex: index, timestamp: now, confidence: 1, landmarks: face?.landmarks)
      try deliver(observation)
      onFrame(Self.picture(index, at: now), observation)
      state.withLock { $0.metrics.tracking.framesOut += 1 }
      index += 1
      next = now + Self.interval
    }
  }

  func stop() { stopped.cancel() }

  private static func picture(_ index: Int, at time: Int64) -> Frame {
    Frame(index: index, timestamp: time, format: .bgr24, width: side, height: side, bytesPerRow: side * 3) {
      $0.initializeMemory(as: UInt8.self, repeating: UInt8(index % 256))
    }
  }
}
