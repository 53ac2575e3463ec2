// A camera's times and numbers: pure.
import Testing

@testable import Capture

@Suite("Camera clock")
struct CameraClockTests {
  private static let now: Int64 = 1_000_000_000_000

  @Test("The driver's time is taken when it can be true")
  func plausible() {
    var clock = CameraClock()
    #expect(clock.time(driver: Self.now - 20_000_000, now: Self.now) == Self.now - 20_000_000)
  }

  @Test(
    "A time that is not told, in the future, too old or from before the machine started is replaced by now",
    arguments: [nil, now + 1, now - 1_000_000_001, 0, -1, Int64.min, Int64.max])
  func implausible(driver: Int64?) {
    var clock = CameraClock()
    #expect(clock.time(driver: driver, now: Self.now) == Self.now)
  }

  @Test("Times rise even when the driver repeats itself")
  func rises() {
    var clock = CameraClock()
    let first = clock.time(driver: Self.now, now: Self.now)
    let second = clock.time(driver: Self.now, now: Self.now)
    #expect(second > first)
    #expect(clock.time(driver: Self.now + 5, now: Self.now + 10) == Self.now + 5)
  }

  @Test("Numbers that were left out are counted, across the end of the counter too")
  func gaps() {
    var sequence = CameraSequence()
    #expect([7, 8, 11, 12].map { sequence.missing(before: $0) } == [0, 0, 2, 0])
    var wrapping = CameraSequence()
    #expect([UInt32.max, 1].map { wrapping.missing(before: $0) } == [0, 1])
  }

  @Test("A driver that numbers afresh has lost nothing")
  func afresh() {
    var sequence = CameraSequence()
    #expect([500, 0, 1, 1, 900_000].map { sequence.missing(before: $0) } == [0, 0, 0, 0, 0])
  }

  @Test("Rate and jitter are those of the frames that came")
  func measures() throws {
    var measurement = CameraMeasurement()
    #expect(measurement.frames == 0 && measurement.rate == 0 && measurement.jitter == nil)
    for time: Int64 in [0, 40, 80, 140, 160] { measurement.add(time * 1_000_000) }
    #expect(measurement.frames == 5)
    #expect(measurement.rate == 25)
    #expect(measurement.jitter == 20_000_000)
  }
}
