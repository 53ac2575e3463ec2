// Events held against the truth: hits, misses, false events, delays.
import Gestures

/// Counts of one gesture over one or more clips.
public struct Tally: Sendable, Equatable {
  public struct Constants {
    /// Seconds by which marked edges may be off: people mark by eye, ± 0.1 s.
    public static let edgeTolerance = 0.1
  }

  /// Gestures that should have begun.
  public var expected = 0
  /// Of these, how many began.
  public var found = 0
  /// Events with no gesture: a second begin of one gesture, the wrong side, or out of nothing.
  public var falseEvents = 0
  /// Minutes in which a false event would have been counted.
  public var minutes = 0.0
  /// Seconds from the truth's onset to the event's, for each found.
  public var delays: [Double] = []
  /// Seconds into the clip of each false event.
  public var falseTimes: [Double] = []
  /// Seconds into the clip at which each gesture that did not begin starts.
  public var missedTimes: [Double] = []

  public init() {}

  /// Judges one clip's events; their timestamps are nanoseconds from the clip's start.
  public init(_ gesture: Gesture, events: [TimedEvent], truth: Truth) {
    let expected = truth.expected(gesture)
    var matched = [Double?](repeating: nil, count: expected.count)
    minutes = truth.judgedMinutes(gesture)
    self.expected = expected.count
    for (time, direction) in events.compactMap({ Self.begin($0, of: gesture) }) {
      let candidates = expected.indices.filter { index in
        matched[index] == nil && expected[index].direction == direction
          && expected[index].gap(to: time) <= Constants.edgeTolerance
      }
      if let match = candidates.min(by: { expected[$0].gap(to: time) < expected[$1].gap(to: time) }) {
        matched[match] = time
      } else if !truth.ignored(gesture).contains(where: { $0.contains(time) }) {
        falseEvents += 1
        falseTimes.append(time)
      }
    }
    found = matched.count { $0 != nil }
    delays = zip(expected, matched).compactMap { expected, time in time.map { $0 - expected.onset } }
    missedTimes = zip(expected, matched).filter { $1 == nil }.map(\.0.start)
  }

  public static func += (left: inout Tally, right: Tally) {
    left.expected += right.expected
    left.found += right.found
    left.falseEvents += right.falseEvents
    left.minutes += right.minutes
    left.delays += right.delays
    left.falseTimes += right.falseTimes
    left.missedTimes += right.missedTimes
  }

  private static func begin(_ event: TimedEvent, of gesture: Gesture) -> (Double, Direction?)? {
    let time = Double(event.timestamp) / 1e9
    return switch (gesture, event.event) {
    case (.tilt, .tilt(.begin, let direction)): (time, direction)
    case (.purse, .purse(.begin, _)): (time, nil)
    default: nil
    }
  }
}

extension Truth.Expected {
  /// Seconds from `time` to the nearest moment of the gesture; 0 inside it.
  fileprivate func gap(to time: Double) -> Double { max(start - time, time - end, 0) }
}
