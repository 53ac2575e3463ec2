// A player's settings: what the recognisers are tuned by. Presets are profiles with the numbers given.

/// How the recognisers behave for one player. Every value is in the unit its name or comment states; defaults are the
/// medium preset's.
public struct Profile: Sendable, Equatable, Codable {
  public var name: String
  public var tilt: TiltSettings
  public var purse: PurseSettings

  public init(name: String = "medium", tilt: TiltSettings = TiltSettings(), purse: PurseSettings = PurseSettings()) {
    self.name = name
    self.tilt = tilt
    self.purse = purse
  }
}

public struct TiltSettings: Sendable, Equatable, Codable {
  /// Degrees from neutral at which a tilt begins and steering leaves 0.
  public var begin: Double = 11
  /// Degrees from neutral below which a tilt ends.
  public var end: Double = 7.5
  /// Degrees from neutral for full speed to the player's left.
  public var fullLeft: Double = 22
  /// Degrees from neutral for full speed to the player's right.
  public var fullRight: Double = 22
  /// Exponent of the steering curve: 1 is linear, above 1 gives finer control near the centre.
  public var curve: Double = 1.5

  public init() {}
}

public struct PurseSettings: Sendable, Equatable, Codable {
  /// Purse score at which a purse begins, 0…1.
  public var begin: Double = 0.777
  /// Purse score below which a purse ends, 0…1.
  public var end: Double = 0.438

  public init() {}
}
