// What bodies stand on, and what is after them.

/// A one-way platform: whoever falls onto its top lands, whoever rises passes.
public struct Platform: Sendable, Equatable {
  /// The middle, points.
  public let x: Double
  /// The height of the upper side, points.
  public let top: Double
  /// Points.
  public let width: Double
  public let category: Category

  public init(x: Double, top: Double, width: Double, category: Category = .ground) {
    self.x = x
    self.top = top
    self.width = width
    self.category = category
  }

  /// Whether something this wide at `x` is above or below the platform.
  func spans(_ x: Double, width: Double) -> Bool { abs(x - self.x) < (width + self.width) / 2 }
}

/// A flood from below: it touches everything under its top.
public struct Hazard: Sendable, Equatable {
  /// Points. Whoever raises it does so before the step.
  public var top: Double
  public let category: Category

  public init(top: Double, category: Category) {
    self.top = top
    self.category = category
  }
}
