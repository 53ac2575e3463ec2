// What part of the world is seen.

/// Follows upwards only.
public struct Camera: Sendable, Equatable {
  public struct Constants {
    /// Points seen from bottom to top: a double jump and half a gap around it.
    public static let height = 520.0
    /// The share of the height at which the camera keeps what it follows.
    static let anchor = 0.38
    /// Seconds to two thirds of the way. The game this project comes from goes a tenth of the way 60 times a second.
    static let time = 0.16
  }

  /// Points.
  public private(set) var bottom: Double

  public init(following y: Double) { bottom = y - Constants.anchor * Constants.height }

  public var top: Double { bottom + Constants.height }

  /// Goes towards `y`, but never so far that `lowest`, a height that must be seen, leaves the picture.
  public mutating func follow(_ y: Double, keeping lowest: Double, seconds: Double = FixedStep.seconds) {
    let target = min(y - Constants.anchor * Constants.height, lowest)
    // Implicit Euler of a first-order lag: stable and near the exponential at any step, with plain arithmetic.
    bottom = max(bottom, bottom + (target - bottom) * (seconds / (Constants.time + seconds)))
  }
}
