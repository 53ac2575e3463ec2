// Measured roll against a scripted one, frame by frame.

/// How far the unfiltered roll is off, with the player's own constant offset (the median) taken out.
public struct RollAccuracy: Sendable, Equatable {
  /// Frames that have both a measured and a scripted roll.
  public let frames: Int
  /// Mean of the absolute error, degrees.
  public let meanError: Double
  /// Greatest absolute error, degrees.
  public let greatestError: Double

  /// `measured` is by frame index, degrees; `nil` when the truth scripts no roll or no frame has one.
  public init?(measured: [Int: Double], truth: Truth) {
    guard let script = truth.roll else { return nil }
    let differences = measured.compactMap { index, roll in
      script.indices.contains(index) ? roll - script[index] : nil
    }.sorted()
    guard !differences.isEmpty else { return nil }
    let offset = differences[differences.count / 2]
    let errors = differences.map { abs($0 - offset) }
    frames = errors.count
    meanError = errors.reduce(0, +) / Double(errors.count)
    greatestError = errors.max()!
  }
}
