// The purse score over time in log-odds: how strong each purse was, and what else came near.
import Gestures
import Glibc

/// Log-odds of the gated purse score, frame by frame.
struct PurseTrack: Sendable {
  struct Constants {
    /// Log-odds are held within ±: beyond, the score is as good as certain.
    static let limit = 10.0
    /// Seconds a purse lasts at least: the recogniser's own shortest hold.
    static let hold = PurseSettings().hold
    /// Seconds below the threshold that end a purse: shorter is noise within one.
    static let gap = 0.15
    /// A purse rises at least this share of the strongest's height above the ceiling of rest: less is a twitch.
    static let leastShare = 0.4
  }

  private let frames: [(time: Double, logOdds: Double)]

  /// Time in seconds, score 0…1.
  init(_ scores: [(time: Double, score: Double)]) {
    frames = scores.map { ($0.time, logOdds($0.score)) }
  }

  /// For each frame the greatest threshold at which the recogniser's hold would be over in it: the least log-odds since
  /// the last frame that is at least the hold ago. Frames before the first hold is over are left out.
  var sustained: [(time: Double, logOdds: Double)] {
    var first = 0
    return frames.indices.compactMap { last in
      guard frames[last].time - frames[0].time >= Constants.hold else { return nil }
      while first + 1 < last, frames[last].time - frames[first + 1].time >= Constants.hold { first += 1 }
      return (frames[last].time, frames[first...last].map(\.logOdds).min()!)
    }
  }

  /// The strength of each purse: the greatest threshold at which it would still have begun. A purse is what stays above
  /// `ceiling`, the most that lips reach at rest.
  func purses(above ceiling: Double) -> [Double] {
    var strengths: [Double] = []
    var lastAbove = -Double.infinity
    for frame in sustained where frame.logOdds > ceiling {
      if frame.time - lastAbove > Constants.gap {
        strengths.append(frame.logOdds)
      } else {
        strengths[strengths.count - 1] = max(strengths[strengths.count - 1], frame.logOdds)
      }
      lastAbove = frame.time
    }
    let least = ceiling + Constants.leastShare * ((strengths.max() ?? ceiling) - ceiling)
    return strengths.filter { $0 >= least }
  }

  /// The greatest sustained log-odds of each whole second.
  var peaksBySecond: [Double] {
    guard let start = frames.first?.time else { return [] }
    let seconds = Dictionary(grouping: sustained) { Int($0.time - start) }
    return seconds.sorted { $0.key < $1.key }.filter { $0.value.count > 1 }.map { $0.value.map(\.logOdds).max()! }
  }
}

/// Of a score 0…1, held within ±`PurseTrack.Constants.limit`.
func logOdds(_ score: Double) -> Double {
  let limit = PurseTrack.Constants.limit
  guard score > 0 else { return -limit }
  guard score < 1 else { return limit }
  return min(max(log(score / (1 - score)), -limit), limit)
}

func logistic(_ logOdds: Double) -> Double { 1 / (1 + exp(-logOdds)) }
