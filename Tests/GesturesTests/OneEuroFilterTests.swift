// The One Euro filter against its defining formulas.
import Glibc
import Testing

@testable import Gestures

@Suite("One Euro filter")
struct OneEuroFilterTests {
  private let frame: Int64 = 33_333_333

  @Test("The first value passes as it is, and again after a reset")
  func first() {
    var filter = OneEuroFilter(minimumCutoff: 1, speedCoefficient: 0.3)
    #expect(filter.filter(17, at: 0) == 17)
    _ = filter.filter(20, at: frame)
    filter.reset()
    #expect(filter.filter(-4, at: 2 * frame) == -4)
  }

  @Test("Without the speed term it is an exponential filter of the given cut-off")
  func exponential() {
    var filter = OneEuroFilter(minimumCutoff: 1, speedCoefficient: 0)
    _ = filter.filter(0, at: 0)
    let weight = 1 / (1 + 1 / (2 * Double.pi * 1 * Double(frame) / 1e9))
    #expect(abs(filter.filter(1, at: frame) - weight) < 1e-12)
  }

  @Test("A still signal's noise shrinks and a 20° step passes 12° in the same frame")
  func stillAndStep() {
    var filter = OneEuroFilter(minimumCutoff: 1, speedCoefficient: 0.3)
    var noise = SystemNoise()
    var squares = (raw: 0.0, filtered: 0.0)
    for index in 0..<300 {
      let raw = 0.1 * noise.next()
      let value = filter.filter(raw, at: Int64(index) * frame)
      if index >= 30 { squares = (squares.raw + raw * raw, squares.filtered + value * value) }
    }
    #expect(squares.filtered < 0.5 * squares.raw)
    #expect(filter.filter(20, at: 300 * frame) > 12)
  }

  @Test("A time that does not advance leaves the value")
  func sameTime() {
    var filter = OneEuroFilter(minimumCutoff: 1, speedCoefficient: 0.3)
    _ = filter.filter(1, at: 10)
    #expect(filter.filter(50, at: 10) == 1)
    #expect(filter.filter(50, at: 5) == 1)
  }

  /// A deterministic noise of unit variance.
  struct SystemNoise {
    var state: UInt64 = 1
    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(state >> 11) / Double(1 << 53) - 0.5) * 12.0.squareRoot()
    }
  }
}
