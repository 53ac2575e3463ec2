// How small a gesture does: the calibrated point moved, with both ends safe from noise and within reach.
import Glibc

/// Per cent, 0…100: 50 is the calibrated point, more takes smaller gestures.
public struct Sensitivity: Sendable, Equatable {
  public struct Constants {
    public static let range = 0.0...100.0
    /// The calibrated point.
    public static let middle = 50.0
    /// The angles' factor at 0 %, and its inverse at 100 %: low to high then span what necks do, 15–45° to full speed.
    static let greatestFactor = 2.0
    /// A tilt begins at this many times the noise at least: a still head passes 4 sigma once in ten minutes at 30 fps.
    static let noiseMargin = 4.0
    /// Degrees; no tilt begins below, however still the head: what the landmarks' roll is off by on other faces.
    static let smallestBegin = 1.0
    /// A tilt begins at this share of full speed's angle at most, so that there is a range to steer in.
    static let greatestBeginShare = 0.75
    /// What the purse thresholds' log-odds gain at 0 % and lose at 100 %: half of it takes 0.78 to 0.90 or 0.57, the
    /// thresholds found useful for clear and for small purses.
    static let greatestLogOdds = 1.9
    /// The purse thresholds stay from `1 − greatestThreshold` to this.
    static let greatestThreshold = 0.999
  }

  public var tilt = Constants.middle
  public var purse = Constants.middle

  public init(tilt: Double = Constants.middle, purse: Double = Constants.middle) {
    self.tilt = tilt
    self.purse = purse
  }
}

extension TiltSettings {
  /// Degrees below which no tilt may begin.
  var smallestBegin: Double { max(Sensitivity.Constants.smallestBegin, Sensitivity.Constants.noiseMargin * noise) }
}

/// What the recognisers judge by.
extension Profile {
  /// The angles times 2^((50 − s) / 50), held where they work: full speed within the extent, a tilt's begin above the
  /// noise and at most three quarters of full speed, its end in proportion.
  public var effectiveTilt: TiltSettings {
    let factor = pow(Sensitivity.Constants.greatestFactor, Self.shift(sensitivity.tilt))
    var effective = tilt
    effective.left = tilt.left.scaled(by: factor, smallestBegin: tilt.smallestBegin)
    effective.right = tilt.right.scaled(by: factor, smallestBegin: tilt.smallestBegin)
    return effective
  }

  /// Both thresholds moved by the same log-odds, (50 − s) / 50 × 1.9, as far as both stay inside 0.001…0.999: the
  /// hysteresis stays what it was.
  public var effectivePurse: PurseSettings {
    let limit = logOdds(Sensitivity.Constants.greatestThreshold)
    let (begin, end) = (logOdds(purse.begin), logOdds(purse.end))
    let wanted = Sensitivity.Constants.greatestLogOdds * Self.shift(sensitivity.purse)
    let shift = max(min(wanted, limit - begin), -limit - end)
    var effective = purse
    // At the calibrated point to the last bit.
    guard shift != 0 else { return effective }
    effective.begin = probability(begin + shift)
    effective.end = probability(end + shift)
    return effective
  }

  /// 1 at 0 %, 0 at the calibrated point, −1 at 100 %.
  private static func shift(_ sensitivity: Double) -> Double {
    (Sensitivity.Constants.middle - sensitivity) / Sensitivity.Constants.middle
  }
}

extension TiltSettings.Side {
  /// With what cannot work moved to the nearest that can: full speed, then begin, then end.
  func scaled(by factor: Double, smallestBegin: Double) -> Self {
    let share = Sensitivity.Constants.greatestBeginShare
    var scaled = self
    scaled.full = min(max(full * factor, smallestBegin / share), extent)
    scaled.begin = max(min(begin * factor, scaled.full * share), smallestBegin)
    scaled.end = end * (scaled.begin / begin)
    return scaled
  }
}

private func logOdds(_ probability: Double) -> Double { log(probability / (1 - probability)) }

private func probability(_ logOdds: Double) -> Double { 1 / (1 + exp(-logOdds)) }
