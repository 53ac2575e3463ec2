// Talk, told by the lips: what they did lately.
import Glibc

/// How much the mouth has opened and moved lately: talk leaves these high, a purse from rest finds them low.
struct SpeechMemory: Sendable {
  struct Constants {
    /// Seconds over which the gap's speed is taken, at least: shorter is landmark noise.
    static let speedInterval = 0.06
    /// Interocular distances a second; beyond this the gap's speed is a tracking jump.
    static let greatestSpeed = 3.0
    /// Time constants of the two averages of that speed, seconds.
    static let shortTime = 0.4
    static let longTime = 1.2
    /// Time constant with which the greatest recent gap is forgotten, seconds.
    static let gapTime = 0.5
    /// Inner gap, interocular distances, below which the lips touch: real purses begin below 0.03, the rounded vowels
    /// that look like one pass 0.04.
    static let closedGap = 0.035
    /// Time constant with which closed lips become a quiet mouth, seconds.
    static let quietTime = 1.5
  }

  /// Averages of the inner gap's speed, interocular distances a second.
  private(set) var gapSpeedShort = 0.0
  private(set) var gapSpeedLong = 0.0
  /// The greatest inner gap of late, decaying, interocular distances.
  private(set) var recentGap = 0.0
  /// How sure it is that the player does not talk, 0…1: 0 while the lips are apart, then rising.
  private(set) var quiet = 0.0
  /// Since when the lips have been closed.
  private var closedSince: Int64?
  /// Gaps since the newest that is old enough to take the speed from.
  private var history: [(time: Int64, gap: Double)] = []

  /// While the player holds a purse, lips that part are no talk.
  mutating func observe(innerGap gap: Double, isPursing: Bool = false, at time: Int64) {
    defer { history.append((time, gap)) }
    closedSince = gap < Constants.closedGap || isPursing ? closedSince ?? time : nil
    quiet = closedSince.map { 1 - exp(-Double(time - $0) / 1e9 / Constants.quietTime) } ?? 0
    guard let last = history.last, time > last.time else {
      recentGap = max(recentGap, gap)
      return
    }
    let interval = Double(time - last.time) / 1e9
    recentGap = max(recentGap * exp(-interval / Constants.gapTime), gap)
    func age(_ index: Int) -> Double { Double(time - history[index].time) / 1e9 }
    while history.count > 1, age(1) >= Constants.speedInterval { history.removeFirst() }
    guard age(0) >= Constants.speedInterval else { return }
    let speed = min(abs(gap - history[0].gap) / age(0), Constants.greatestSpeed)
    gapSpeedShort += (1 - exp(-interval / Constants.shortTime)) * (speed - gapSpeedShort)
    gapSpeedLong += (1 - exp(-interval / Constants.longTime)) * (speed - gapSpeedLong)
  }
}
