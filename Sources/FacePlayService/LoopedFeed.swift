// A clip played again and again, as one feed.
import Capture
import FaceGeometry
import Frames
import GestureStream
import Synchronization

/// Ends when it is stopped, and with a camera. Frames are numbered on from one round to the next.
public final class LoopedFeed: ObservationFeed {
  private struct State {
    var round: any ObservationFeed
    /// Of the rounds before.
    var earlier = PipelineMetrics()
    var isStopped = false
  }

  private let open: @Sendable () throws -> any ObservationFeed
  private let state: Mutex<State>

  /// `open` opens the source, now and for each further round. Throws what it throws.
  public init(_ open: @escaping @Sendable () throws -> any ObservationFeed) throws {
    self.open = open
    state = Mutex(State(round: try open()))
  }

  private var round: any ObservationFeed { state.withLock { $0.round } }

  public var source: StreamHeader.Source { round.source }
  public var landmarkModel: String? { round.landmarkModel }
  public var duration: Int64? { nil }
  public var notice: String? { round.notice }
  public var damage: String? { round.damage }

  /// Of all rounds; latencies of the latest.
  public var metrics: PipelineMetrics {
    let (earlier, now) = state.withLock { ($0.earlier, $0.round.metrics) }
    return PipelineMetrics(
      capture: now.capture.after(earlier.capture), tracking: now.tracking.after(earlier.tracking))
  }

  /// Throws `CaptureError.noPictures` for a source that has none, besides what the rounds throw.
  public func run(
    _ deliver: (FaceObservation) throws -> Void, onFrame: (Frame, FaceObservation) -> Void,
    onCondition: @escaping @Sendable (CameraCondition) -> Void
  ) throws {
    var next = 0
    while true {
      let (round, first) = (round, next)
      try round.run(
        { observation in
          let numbered = observation.numbered(first + observation.frameIndex)
          next = numbered.frameIndex + 1
          try deliver(numbered)
        },
        onFrame: { frame, observation in
          let number = first + frame.index
          onFrame(frame.numbered(number), observation.numbered(number))
        },
        onCondition: onCondition)
      guard round.source.kind != .camera, !state.withLock({ $0.isStopped }) else { return }
      guard next > first else { throw CaptureError.noPictures(path: round.source.name, skippedPackets: 0) }
      let (opened, metrics) = (try open(), metrics)
      let goesOn = state.withLock { state in
        (state.earlier, state.round) = (metrics, opened)
        return !state.isStopped
      }
      guard goesOn else { return }
    }
  }

  public func stop() {
    let round = state.withLock { state in
      state.isStopped = true
      return state.round
    }
    round.stop()
  }
}

extension StageMetrics {
  fileprivate func after(_ earlier: StageMetrics) -> StageMetrics {
    var sum = self
    sum.framesIn += earlier.framesIn
    sum.framesOut += earlier.framesOut
    sum.framesDropped += earlier.framesDropped
    return sum
  }
}

extension FaceObservation {
  fileprivate func numbered(_ number: Int) -> FaceObservation {
    FaceObservation(frameIndex: number, timestamp: timestamp, confidence: confidence, landmarks: landmarks)
  }
}
