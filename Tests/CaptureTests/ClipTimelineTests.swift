// How a file's timestamps become media time.
import Testing

@testable import Capture

@Suite("Clip timeline")
struct ClipTimelineTests {
  private static let ms: Int64 = 1_000_000

  /// The media times, in milliseconds, of pictures with these timestamps in milliseconds at 25 frames a second.
  private func times(_ timestamps: [Int64?], duration: Int64 = 0) -> [Int64] {
    var timeline = ClipTimeline(frameRate: 25)
    return timestamps.map { timeline.place(timestamp: $0.map { $0 * Self.ms }, duration: duration * Self.ms) / Self.ms }
  }

  @Test(
    "Media time starts at 0, always rises, and keeps what the file says where that is possible",
    arguments: [
      ([1000, 1040, 1080], [0, 40, 80]),
      ([-80, -33, 200], [0, 47, 280]),  // Negative and irregular.
      ([0, 40, nil, 120], [0, 40, 80, 120]),
      ([nil, nil, 500, 540], [0, 40, 80, 120]),  // What is known later is counted from what was assumed.
      ([0, 40, 40, 120], [0, 40, 80, 120]),  // Twice the same.
      ([0, 40, 20, 120], [0, 40, 80, 120]),  // Backwards once.
      ([5000, 5040, 0, 40, 80], [0, 40, 80, 120, 160]),  // Starts again.
      ([0, 40, 9_000_000_000, 120], [0, 40, 80, 120]),  // A leap of 104 days.
      ([0, 600_000, 600_040], [0, 600_000, 600_040]),  // A slide shown for ten minutes.
    ] as [([Int64?], [Int64])])
  func table(timestamps: [Int64?], expected: [Int64]) {
    #expect(times(timestamps) == expected)
  }

  @Test("A picture's own duration places the one after it that has no timestamp")
  func ownDuration() {
    #expect(times([0, nil, nil], duration: 70) == [0, 70, 140])
  }

  @Test("A frame rate that makes no sense is not used", arguments: [0, -1, .nan, .infinity, 1e-300, 1e300] as [Double])
  func absurdRate(rate: Double) {
    var timeline = ClipTimeline(frameRate: rate)
    _ = timeline.place(timestamp: nil, duration: 0)
    #expect(timeline.place(timestamp: nil, duration: 0) == ClipTimeline.defaultFrameDuration)
  }

  @Test("The ends of the number range do not overflow")
  func extremes() {
    var timeline = ClipTimeline(frameRate: 25)
    var last: Int64 = -1
    for timestamp in [Int64.max, .min, 0, .max, .min + 1] {
      let time = timeline.place(timestamp: timestamp, duration: .max)
      #expect(time > last)
      last = time
    }
  }
}
