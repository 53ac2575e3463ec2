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
  /// Of these, how many began, or (tilts) were held already: two tilts to one side with no return between are one.
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
    let held = Held.spans(of: gesture, in: events)
    var matched = [Held?](repeating: nil, count: expected.count)
    for span in held {
      let candidates = expected.indices.filter { matched[$0] == nil && expected[$0].isBegun(by: span) }
      if let match = candidates.min(by: { expected[$0].gap(to: span.begin) < expected[$1].gap(to: span.begin) }) {
        matched[match] = span
      } else if truth.duration != nil,
        !truth.ignored(gesture).contains(where: { $0.gap(to: span.begin) <= Constants.edgeTolerance })
      {
        falseTimes.append(span.begin)
      }
    }
    delays = zip(expected, matched).compactMap { expected, span in span.map { $0.begin - expected.onset } }
    missedTimes = zip(expected, matched).filter { expected, span in
      span == nil && !(gesture == .tilt && held.contains { expected.isCovered(by: $0) })
    }.map(\.0.start)
    minutes = truth.judgedMinutes(gesture)
    self.expected = expected.count
    found = expected.count - missedTimes.count
    falseEvents = falseTimes.count
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
}

/// A gesture from its begin event to its end event, seconds.
private struct Held {
  let begin: Double
  var end = Double.infinity
  /// `nil` for a purse.
  let direction: Direction?

  static func spans(of gesture: Gesture, in events: [TimedEvent]) -> [Held] {
    var spans: [Held] = []
    for event in events {
      let time = Double(event.timestamp) / 1e9
      switch (gesture, event.event) {
      case (.tilt, .tilt(.begin, let direction)): spans.append(Held(begin: time, direction: direction))
      case (.purse, .purse(.begin, _)): spans.append(Held(begin: time, direction: nil))
      case (.tilt, .tilt(.end, _)), (.purse, .purse(.end, _)): spans[spans.count - 1].end = time
      default: break
      }
    }
    return spans
  }
}

extension Truth.Expected {
  fileprivate func gap(to time: Double) -> Double { max(start - time, time - end, 0) }

  fileprivate func isBegun(by span: Held) -> Bool {
    span.direction == direction && gap(to: span.begin) <= Tally.Constants.edgeTolerance
  }

  fileprivate func isCovered(by span: Held) -> Bool {
    span.direction == direction && span.begin <= end && span.end >= start
  }
}

extension ClosedRange<Double> {
  /// The distance from `value` to the range; 0 inside it.
  fileprivate func gap(to value: Double) -> Double { Swift.max(lowerBound - value, value - upperBound, 0) }
}
