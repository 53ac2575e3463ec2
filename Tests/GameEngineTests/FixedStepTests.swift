// Steps of one length, whoever pulls.
import GameEngine
import Testing

@Suite("Fixed step")
struct FixedStepTests {
  @Test("A display of any rate gets each step once, at its time", arguments: [30, 60, 120, 144, 1000])
  func rates(rate: Int64) {
    var pacer = FixedStep(startingAt: 1_000)
    var done = 0
    for frame in 0...(rate * 10) {
      let time = 1_000 + frame * 1_000_000_000 / rate
      done += pacer.take(until: time)
      #expect(FixedStep.time(of: done - 1) <= time - 1_000 && FixedStep.time(of: done) > time - 1_000)
    }
    #expect(done == 1201)
  }

  @Test("After a long gap a quarter of a second is caught up on, and the rest is let go")
  func gap() {
    var pacer = FixedStep(startingAt: 0)
    #expect(pacer.take(until: 0) == 1)
    #expect(pacer.take(until: 60_000_000_000) == FixedStep.mostAtOnce)
    #expect(pacer.take(until: 60_000_000_000) == 0)
    #expect(pacer.due > 60_000_000_000 && pacer.due < 60_010_000_000)
  }
}

@Suite("Camera")
struct CameraTests {
  @Test("It follows upwards, never down, and keeps what must be seen")
  func follow() {
    var camera = Camera(following: 0)
    var bottom = camera.bottom
    for step in 0..<600 {
      camera.follow(step < 300 ? Double(step) : -500, keeping: 60)
      #expect(camera.bottom >= bottom && camera.bottom <= 60)
      bottom = camera.bottom
    }
    #expect(bottom > 50)
  }
}

@Suite("State hash")
struct StateHashTests {
  @Test("It is FNV-1a over the bits, so that zero has a sign")
  func value() {
    var hash = StateHash()
    hash.combine(0x6162_6364_6566_6768 as UInt64)
    #expect(hash.value == 0xa588_fa95_f595_c3d5)
    var (plus, minus) = (StateHash(), StateHash())
    plus.combine(0.0)
    minus.combine(-0.0)
    #expect(plus != minus)
  }
}
