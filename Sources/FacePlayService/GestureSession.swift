// One player's session: observations in, stream records out, with leases kept while it is live.
import Capture
import FaceGeometry
import Frames
import GestureStream
import Gestures
import Synchronization

/// Steps the recogniser and tells each record to its sink, in order, from whichever thread made it.
///
/// A live session has a thread that ends leases by CLOCK_MONOTONIC when no observation comes; one that is not live runs
/// on media time alone.
public final class GestureSession: Sendable {
  /// Takes the records after the header; times are rebased to the first observation's. Called with the session locked:
  /// it must not call back.
  public typealias Sink = @Sendable (StreamRecord) -> Void

  private struct State {
    var recognizer: GestureRecognizer
    var start: Int64?
    var last: Int64 = 0
    var frames = 0
    var events = 0
    /// When everything was let go for a while: frames from before are not gone back to.
    var releasedAt = Int64.min
    var isPaused = false
    /// Frames that came too late for that, or for holding anything, or in a pause.
    var late = 0
    /// Frames in a row whose lease had run out before they came.
    var stale = 0
    var hasEnded = false
  }

  private let state: Mutex<State>
  private let isLive: Bool
  private let sink: Sink
  private let leases: Mutex<LeaseTimer?>

  public init(profile: Profile, isLive: Bool, sink: @escaping Sink) {
    state = Mutex(State(recognizer: GestureRecognizer(profile: profile)))
    self.isLive = isLive
    self.sink = sink
    leases = Mutex(nil)
    if isLive {
      let timer = LeaseTimer { [weak self] in self?.endLeases() }
      leases.withLock { $0 = timer }
    }
  }

  public func process(_ observation: FaceObservation) {
    let deadline = state.withLock { state -> Int64? in
      guard !state.hasEnded else { return nil }
      state.stale = isStale(observation) ? state.stale + 1 : 0
      let isLeftOver = (1...Self.mostLeftOver).contains(state.stale)
      guard !state.isPaused, observation.timestamp > state.releasedAt, !isLeftOver else {
        state.late += 1
        return state.recognizer.deadline
      }
      state.start = state.start ?? observation.timestamp
      let (frame, events) = state.recognizer.process(observation)
      state.frames += 1
      state.last = frame.timestamp
      // A lease that ran out before this frame comes before it in the stream.
      let earlier = events.prefix { $0.timestamp < frame.timestamp }
      tell(earlier, &state)
      sink(.frame(frame.rebased(by: state.start!)))
      tell(events.dropFirst(earlier.count), &state)
      return state.recognizer.deadline
    }
    leases.withLock { $0?.arm(deadline) }
  }

  /// After a process or its machine stood still, so many frames of before may arrive one after the other: each would find
  /// the face, to be lost again at once. A machine that is always this late is slow, and its frames are all there is.
  private static let mostLeftOver = 6

  /// Whether its lease has run out before it came.
  private func isStale(_ observation: FaceObservation) -> Bool {
    isLive && MonotonicClock.now - observation.timestamp >= GestureRecognizer.Constants.lease
  }

  /// A new recording begins within the same source: everything is let go and the neutral is found afresh.
  public func restart(at time: Int64) {
    state.withLock { state in
      tell(state.recognizer.releaseAll(.exit, at: time)[...], &state)
      state.recognizer = GestureRecognizer(profile: state.recognizer.profile)
    }
  }

  /// Lets everything go when a camera stops delivering, and goes on with the frames taken after `time`,
  /// CLOCK_MONOTONIC in nanoseconds.
  public func take(_ condition: CameraCondition, at time: Int64) {
    if let reason = ReleaseReason(condition) { release(reason, at: time) }
  }

  /// Lets everything go and goes on with the frames taken after `time`, on the observations' clock.
  public func release(_ reason: ReleaseReason, at time: Int64) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.releasedAt = time
      tell(state.recognizer.releaseAll(reason, at: time)[...], &state)
    }
  }

  /// Goes on with other settings; what is held is judged by them from the next frame on.
  public func take(_ profile: Profile) { state.withLock { $0.recognizer.take(profile) } }

  /// Takes the posture last seen for the neutral. Returns the profile in force since then; `nil`, and nothing done,
  /// while there is no face.
  public func recentre() -> Profile? {
    state.withLock { $0.recognizer.recentre() ? $0.recognizer.profile : nil }
  }

  /// Lets everything go at `time`, CLOCK_MONOTONIC in nanoseconds, and takes no frames until `resume(at:)`.
  public func pause(at time: Int64) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.isPaused = true
      tell(state.recognizer.releaseAll(.paused, at: time)[...], &state)
    }
  }

  /// Goes on with the frames taken after `time`.
  public func resume(at time: Int64) {
    state.withLock { state in
      state.isPaused = false
      state.releasedAt = max(state.releasedAt, time)
    }
  }

  /// Lets everything go, tells the end and takes no more; `dropped` frames never came here.
  public func end(_ reason: ReleaseReason, dropped: Int) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.hasEnded = true
      tell(state.recognizer.releaseAll(reason, at: state.last)[...], &state)
      sink(.end(StreamEnd(frames: state.frames, dropped: dropped + state.late, events: state.events)))
    }
    leases.withLock { $0.take() }?.stop()
  }

  private func endLeases() -> Int64? {
    state.withLock { state in
      guard !state.hasEnded else { return nil }
      tell(state.recognizer.advance(to: MonotonicClock.now)[...], &state)
      return state.recognizer.deadline
    }
  }

  private func tell(_ events: ArraySlice<TimedEvent>, _ state: inout State) {
    for event in events {
      state.events += 1
      sink(.event(event.rebased(by: state.start ?? event.timestamp)))
    }
  }
}

extension ReleaseReason {
  /// `nil` while there is nothing to let go for.
  fileprivate init?(_ condition: CameraCondition) {
    switch condition {
    case .delivering: return nil
    case .stalled, .failing: self = .stalled
    case .unplugged, .busy, .denied: self = .unplugged
    }
  }
}

extension GestureState {
  fileprivate func rebased(by start: Int64) -> GestureState {
    GestureState(frameIndex: frameIndex, timestamp: timestamp - start, signals: signals, horizontal: horizontal)
  }
}

extension TimedEvent {
  fileprivate func rebased(by start: Int64) -> TimedEvent {
    TimedEvent(frameIndex: frameIndex, timestamp: timestamp - start, event: event)
  }
}
