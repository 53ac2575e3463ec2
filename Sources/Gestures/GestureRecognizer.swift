// The whole way from landmarks to input events as one value: filters, neutral, recognisers, leases, jumps.
import FaceGeometry

/// Steps on observations and on time; reads no clock and holds no thread.
///
/// Held input is a lease: `deadline` says when what is held must be let go unless a good frame comes first, and
/// `advance(to:)` lets it go. Whoever owns the recogniser must call `advance(to:)` by then, frames or no frames.
public struct GestureRecognizer: Sendable {
  public let profile: Profile

  public init(profile: Profile) {
    self.profile = profile
  }

  /// The time, on the observations' clock, at which `advance(to:)` must be called next; `nil` when nothing is pending.
  public var deadline: Int64? { nil }

  /// Takes one frame's observation; `now` is the same clock's time of processing, never before the observation's.
  public mutating func process(_ observation: FaceObservation) -> (GestureState, [TimedEvent]) {
    (GestureState(frameIndex: observation.frameIndex, timestamp: observation.timestamp, signals: nil, horizontal: 0), [])
  }

  /// Lets go what has not been renewed by `time`.
  public mutating func advance(to time: Int64) -> [TimedEvent] { [] }

  /// Lets everything go at once: on pause, unplug and exit.
  public mutating func releaseAll(_ reason: ReleaseReason, at time: Int64) -> [TimedEvent] { [] }
}
