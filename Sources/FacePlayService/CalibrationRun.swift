// A source through a guided calibration, in real time.
import Calibration
import Capture
import Frames
import Gestures
import Synchronization

/// Plays a source to a calibration until that ends; a clip or trace that is over is played again. A thread of its own
/// tells the status and keeps time while no frame comes.
public final class CalibrationRun: Sendable {
  public struct Constants {
    /// Nanoseconds from one telling to the next.
    static let interval: Int64 = 100_000_000
    /// Nanoseconds without a frame after which the clock goes on by itself; a frame's own time is better.
    static let silence: Int64 = 500_000_000
  }

  private struct State {
    var calibration: GuidedCalibration
    var feed: (any ObservationFeed)?
    var trouble: CameraCondition?
    /// When the newest frame came.
    var lastFrame: Int64 = 0
    var isStopped = false
  }

  /// Opens a source; see `openFeed`.
  public typealias Open = () throws -> any ObservationFeed

  /// Takes what a view draws and what keeps a camera from delivering, on the run's own thread.
  public typealias Show = @Sendable (GuidedCalibration.Status, CameraCondition?) -> Void

  private let state: Mutex<State>

  public init(_ calibration: GuidedCalibration) {
    state = Mutex(State(calibration: calibration))
  }

  /// Returns how it ended; `nil` when it was stopped. Throws what the feed throws. Called once.
  public func run(_ open: Open, show: @escaping Show) throws -> GuidedCalibration.Outcome? {
    let ended = Cancellation()
    let clock = WorkerThread("calibration") { [self] in
      while !ended.sleep(until: MonotonicClock.now + Constants.interval) { keepTime(show) }
    }
    defer {
      ended.cancel()
      clock.join()
    }
    while try play(open) {}
    return state.withLock { $0.isStopped ? nil : $0.calibration.outcome }
  }

  /// Makes `run` return soon; from any thread.
  public func stop() {
    state.withLock { $0.isStopped = true }
    closeFeed()
  }

  public func repeatStep() { state.withLock { $0.calibration.repeatStep() } }

  public func skipStep() { state.withLock { $0.calibration.skipStep() } }

  /// Plays the source once; whether it is to be played again.
  private func play(_ open: Open) throws -> Bool {
    let feed = try open()
    let goesOn = state.withLock { state in
      state.feed = feed
      return !state.isStopped && state.calibration.outcome == nil
    }
    guard goesOn else { return false }
    var frames = 0
    try feed.run(
      { [self] observation in
        frames += 1
        let isOver = state.withLock { state in
          state.lastFrame = MonotonicClock.now
          state.calibration.process(observation)
          return state.calibration.outcome != nil
        }
        if isOver { feed.stop() }
      },
      onCondition: { [self] condition in
        state.withLock { $0.trouble = condition == .delivering ? nil : condition }
      })
    return state.withLock { state in
      if frames == 0 { state.calibration.end() }
      return !state.isStopped && state.calibration.outcome == nil
    }
  }

  private func keepTime(_ show: Show) {
    let (status, trouble, isOver) = state.withLock { state in
      let now = MonotonicClock.now
      if now - state.lastFrame > Constants.silence { state.calibration.advance(to: now) }
      return (state.calibration.status, state.trouble, state.calibration.outcome != nil)
    }
    show(status, trouble)
    if isOver { closeFeed() }
  }

  private func closeFeed() { state.withLock { $0.feed }?.stop() }
}
