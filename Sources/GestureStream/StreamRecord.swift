// One record of a gesture stream, whatever the format it is written in.
import Gestures

/// What a gesture stream is made of, in this order: one header, then frames with the events recognised in or after
/// them, then the end. Times are nanoseconds from the session's start.
public enum StreamRecord: Sendable, Equatable {
  case header(StreamHeader)
  case frame(GestureState)
  case event(TimedEvent)
  case end(StreamEnd)
}

/// Written on a clean finish; a stream without it was cut short.
public struct StreamEnd: Sendable, Equatable {
  /// Frames processed.
  public let frames: Int
  /// Frames the source delivered that were never processed.
  public let dropped: Int
  /// Event records written.
  public let events: Int

  public init(frames: Int, dropped: Int, events: Int) {
    self.frames = frames
    self.dropped = dropped
    self.events = events
  }
}
