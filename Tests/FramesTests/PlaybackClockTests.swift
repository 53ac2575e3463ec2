// Recorded time in real time.
import Frames
import Testing

@Suite("Playback clock")
struct PlaybackClockTests {
  @Test("The first frame is due at once, later ones at their distance from it, however late they are asked for")
  func due() {
    var clock = PlaybackClock()
    #expect(clock.due(2_000, now: 50_000) == 50_000)
    #expect(clock.due(5_000, now: 50_100) == 53_000)
    #expect(clock.due(9_000, now: 90_000) == 57_000)
  }

  @Test("After a standstill the rest is later by as much")
  func standstill() {
    var clock = PlaybackClock()
    #expect(clock.due(0, now: 0) == 0)
    let late = PlaybackClock.allowedLateness + 1
    #expect(clock.due(0, now: late) == late)
    #expect(clock.due(1_000, now: late) == late + 1_000)
  }
}
