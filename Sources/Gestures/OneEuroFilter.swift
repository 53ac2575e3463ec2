// The One Euro filter: steady at rest, quick in motion.
import Glibc

/// Low-pass filter whose cut-off rises with speed (Casiez, Roussel and Vogel, CHI 2012, doi 10.1145/2207676.2208639).
struct OneEuroFilter: Sendable {
  /// Cut-off at rest, Hz: lower is steadier and slower.
  let minimumCutoff: Double
  /// Hz of cut-off gained for each unit of the value per second.
  let speedCoefficient: Double
  /// Cut-off of the speed estimate, Hz; the paper's constant.
  static let speedCutoff = 1.0

  private var previous: (value: Double, raw: Double, speed: Double, time: Int64)?

  init(minimumCutoff: Double, speedCoefficient: Double) {
    self.minimumCutoff = minimumCutoff
    self.speedCoefficient = speedCoefficient
  }

  /// The filtered value at `time` (nanoseconds). A time that does not advance returns the value as it was.
  mutating func filter(_ raw: Double, at time: Int64) -> Double {
    guard let last = previous else {
      previous = (raw, raw, 0, time)
      return raw
    }
    guard time > last.time else { return last.value }
    let interval = Double(time - last.time) / 1e9
    let speed = last.speed + Self.weight(Self.speedCutoff, interval) * ((raw - last.raw) / interval - last.speed)
    let cutoff = minimumCutoff + speedCoefficient * abs(speed)
    let value = last.value + Self.weight(cutoff, interval) * (raw - last.value)
    previous = (value, raw, speed, time)
    return value
  }

  mutating func reset() { previous = nil }

  private static func weight(_ cutoff: Double, _ interval: Double) -> Double {
    1 / (1 + 1 / (2 * .pi * cutoff * interval))
  }
}
