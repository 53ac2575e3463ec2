// Quantiles, and what the next value may be after a few.
import Glibc

/// The value below which `share` (0…1) of `values` lie, interpolated; `values` is not empty.
func quantile(_ share: Double, of values: [Double]) -> Double {
  let sorted = values.sorted()
  let place = share * Double(sorted.count - 1)
  let below = Int(place)
  guard below + 1 < sorted.count else { return sorted[below] }
  return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
}

/// What the next value will be, judged by those seen and by what is known of other people: normal, with the mean and
/// the variance shrunk towards the population's, and widened for not knowing them (the normal model with conjugate
/// prior, Gelman et al., Bayesian Data Analysis, 3.3; Student's tails are replaced by a normal of their variance).
struct Prediction: Sendable, Equatable {
  struct Population: Sendable {
    let mean: Double
    let standardDeviation: Double
    /// How many values the population's mean counts for; 0: this person's own only.
    let meanWeight: Double
    /// How many values the population's variance counts for; above 2.
    let varianceWeight: Double
  }

  let mean: Double
  let standardDeviation: Double
  /// Of the mean itself.
  let standardError: Double

  /// `values` may be empty when the population's mean counts.
  init(_ values: [Double], _ population: Population) {
    let count = Double(values.count)
    let ownMean = values.isEmpty ? population.mean : values.reduce(0, +) / count
    let weight = population.meanWeight + count
    mean = (population.meanWeight * population.mean + count * ownMean) / weight
    let squares = values.reduce(0) { $0 + ($1 - ownMean) * ($1 - ownMean) }
    let known = population.standardDeviation * population.standardDeviation * (population.varianceWeight - 2)
    let variance = (known + squares) / (population.varianceWeight - 2 + max(count - 1, 0))
    standardError = (variance / weight).squareRoot()
    standardDeviation = (variance + variance / weight).squareRoot()
  }

  /// The probability of a value below `limit`, were the mean greater by `shift`.
  func share(below limit: Double, shift: Double = 0) -> Double {
    0.5 * erfc((mean + shift - limit) / (standardDeviation * 2.0.squareRoot()))
  }
}
