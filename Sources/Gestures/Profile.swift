// A player's settings: what the recognisers are tuned by. Presets are profiles with the numbers given.

/// How the recognisers behave for one player; the defaults are the medium preset.
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
  /// Degrees from neutral at which a tilt begins and steering leaves 0, 1…60. Default 11: in free talk heads pass 10°
  /// 3 times a minute, 12° half as often; a tilt on purpose passes 12°.
  public var begin = 11.0
  /// Degrees from neutral below which a tilt ends, 0…`begin`. Default 7.5: well above the noise of a face at rest.
  public var end = 7.5
  /// Degrees from neutral for full speed to the player's left and right, above `begin`, to 90. Default 22: the low end
  /// of what a neck bends sideways, 20–45°.
  public var fullLeft = 22.0
  public var fullRight = 22.0
  /// Exponent of the steering curve, 0.2…5: 1 is linear, above 1 is finer near the centre. Default 1.5: chosen by feel.
  public var curve = 1.5

  public init() {}
}

public struct PurseSettings: Sendable, Equatable, Codable {
  /// Purse score at which a purse begins, above `end`, below 1. Default 0.777: on 13 purses and 5.9 minutes of talk of
  /// real people it found all with 1 false (see `PurseScore`).
  public var begin = 0.777
  /// Purse score below which a purse ends, above 0. Default 0.438, from the same measurement.
  public var end = 0.438

  public init() {}
}

/// A setting that cannot work.
public struct ProfileProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// As a player finds it in the file, such as `tilt.end`.
  public let setting: String
  /// What it must be.
  public let rule: String
  public let value: Double

  public var description: String { "\(setting) is \(value), but must be \(rule)" }
}

extension Profile {
  /// Throws the first setting that cannot work.
  public func validate() throws(ProfileProblem) {
    try require("tilt.begin", tilt.begin, "from 1 to 60 degrees") { $0 >= 1 && $0 <= 60 }
    try require("tilt.end", tilt.end, "from 0 to tilt.begin") { [tilt] in $0 >= 0 && $0 <= tilt.begin }
    for (setting, value) in [("tilt.fullLeft", tilt.fullLeft), ("tilt.fullRight", tilt.fullRight)] {
      try require(setting, value, "above tilt.begin, at most 90 degrees") { [tilt] in $0 > tilt.begin && $0 <= 90 }
    }
    try require("tilt.curve", tilt.curve, "from 0.2 to 5") { $0 >= 0.2 && $0 <= 5 }
    try require("purse.end", purse.end, "above 0 and below 1") { $0 > 0 && $0 < 1 }
    try require("purse.begin", purse.begin, "above purse.end and below 1") { [purse] in $0 > purse.end && $0 < 1 }
  }

  private func require(
    _ setting: String, _ value: Double, _ rule: String, _ holds: (Double) -> Bool
  ) throws(ProfileProblem) {
    guard holds(value) else { throw ProfileProblem(setting: setting, rule: rule, value: value) }
  }
}
