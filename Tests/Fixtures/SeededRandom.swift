// Random numbers that come again: a test that fails fails the next time too.
import Glibc

/// SplitMix64 (Steele, Lea, Flood, 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  /// Normal with mean 0 (Box and Muller 1958).
  public mutating func normal(_ deviation: Double) -> Double {
    let radius = (-2 * log(Double.random(in: .leastNonzeroMagnitude..<1, using: &self))).squareRoot()
    return deviation * radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}
