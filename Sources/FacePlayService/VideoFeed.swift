// Video through the face tracker.
import Capture
import FaceGeometry
import FaceTracking
import Frames
import GestureStream
import Synchronization

/// Live, capture has a thread of its own and the newest frame wins; otherwise every frame is analysed in turn.
final class VideoFeed: ObservationFeed {
  let landmarkModel: String?
  let duration: Int64?
  let notice: String?
  private let video: any VideoSource
  private let isLive: Bool
  private let tracker: Mutex<FaceTracker>
  private let newest = NewestSlot<Frame>()
  private let tracking = Mutex(StageMetrics())

  init(_ video: any VideoSource, duration: Int64?, isLive: Bool, tracker: consuming sending FaceTracker) {
    self.video = video
    self.duration = duration
    self.isLive = isLive
    landmarkModel = tracker.modelIdentifier
    notice = tracker.engine.notice
    self.tracker = Mutex(tracker)
  }

  var source: StreamHeader.Source {
    let video = video.description
    return StreamHeader.Source(
      kind: StreamHeader.Kind(rawValue: video.kind.rawValue), name: video.name, width: video.width,
      height: video.height, fps: video.frameRate)
  }

  var damage: String? { video.damage.map { "\(video.description.name) is \($0)" } }

  var metrics: PipelineMetrics {
    var tracking = tracking.withLock { $0 }
    tracking.framesDropped += newest.metrics.framesDropped
    return PipelineMetrics(capture: video.metrics, tracking: tracking)
  }

  func run(
    _ deliver: (FaceObservation) throws -> Void, onFrame: (Frame, FaceObservation) -> Void,
    onCondition: @escaping @Sendable (CameraCondition) -> Void
  ) throws {
    guard isLive else {
      while let frame = try video.next() { try track(frame, deliver, onFrame) }
      return
    }
    let failure = Failure()
    let capture = WorkerThread("capture") { [video, newest] in
      do throws(CaptureError) {
        while let frame = try video.next(onCondition) { newest.put(frame) }
      } catch {
        failure.error.withLock { $0 = error }
      }
      newest.close()
    }
    defer {
      video.cancel()
      capture.join()
    }
    while let frame = newest.take() { try track(frame, deliver, onFrame) }
    if let error = failure.error.withLock({ $0 }) { throw error }
  }

  func stop() { video.cancel() }

  private func track(
    _ frame: Frame, _ deliver: (FaceObservation) throws -> Void, _ onFrame: (Frame, FaceObservation) -> Void
  ) throws {
    tracking.withLock { $0.framesIn += 1 }
    let observation = try tracker.withLock { try $0.track(frame) }
    try deliver(observation)
    tracking.withLock { tracking in
      tracking.framesOut += 1
      if isLive { tracking.latency.record(MonotonicClock.now - frame.timestamp) }
    }
    onFrame(frame, observation)
  }

  /// What ended the capture thread.
  private final class Failure: Sendable {
    let error = Mutex<CaptureError?>(nil)
  }
}
