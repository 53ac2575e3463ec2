// 95 % intervals for shares and rates from small counts.
import Glibc

/// Where the true value lies with 95 % confidence.
public enum Confidence {
  /// The normal distribution's 97.5 % point.
  static let z = 1.959964

  /// Wilson's score interval for `successes` of `trials` (Wilson 1927); 0…1 when there were no trials.
  public static func share(_ successes: Int, of trials: Int) -> ClosedRange<Double> {
    guard trials > 0 else { return 0...1 }
    let n = Double(trials)
    let p = Double(successes) / n
    let centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    return max(0, centre - half)...min(1, centre + half)
  }

  /// The exact interval for a Poisson rate of `count` events in `exposure` (Garwood 1936), per unit of exposure.
  public static func rate(_ count: Int, per exposure: Double) -> ClosedRange<Double> {
    guard exposure > 0 else { return 0 ... .infinity }
    let lower = count == 0 ? 0 : mean { 1 - poissonCumulative(count - 1, mean: $0) >= 0.025 }
    let upper = mean { poissonCumulative(count, mean: $0) <= 0.025 }
    return lower / exposure...upper / exposure
  }

  /// The smallest mean that satisfies a condition that holds from some mean on.
  private static func mean(where holds: (Double) -> Bool) -> Double {
    var low = 0.0
    var high = 1.0
    while !holds(high) { high *= 2 }
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle }
    }
    return high
  }

  private static func poissonCumulative(_ count: Int, mean: Double) -> Double {
    guard mean > 0 else { return 1 }
    return (0...count).reduce(0) { $0 + exp(Double($1) * log(mean) - mean - lgamma(Double($1) + 1)) }
  }
}
