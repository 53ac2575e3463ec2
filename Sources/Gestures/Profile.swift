// A player's profile: the point the player was calibrated to, and how sensitive to be around it.

/// What is kept of one player. The defaults are a player nobody has measured: the medium preset.
public struct Profile: Sendable, Equatable {
  public var name: String
  /// The player at rest as calibrated; `nil`: found by itself, from the population's.
  public var neutral: Neutral?
  /// At a sensitivity of 50 %.
  public var tilt: TiltSettings
  /// At a sensitivity of 50 %.
  public var purse: PurseSettings
  public var jump: JumpSettings
  public var sensitivity: Sensitivity

  public init(
    name: String = "medium", neutral: Neutral? = nil, tilt: TiltSettings = TiltSettings(),
    purse: PurseSettings = PurseSettings(), jump: JumpSettings = JumpSettings(),
    sensitivity: Sensitivity = Sensitivity()
  ) {
    self.name = name
    self.neutral = neutral
    self.tilt = tilt
    self.purse = purse
    self.jump = jump
    self.sensitivity = sensitivity
  }
}

public struct TiltSettings: Sendable, Equatable {
  /// One side's angles, degrees from the neutral.
  public struct Side: Sendable, Equatable {
    /// Where a tilt begins and steering leaves 0, 1…60. Default 11: in free talk heads pass 10° 3 times a minute, 12°
    /// half as often; a tilt on purpose passes 12°.
    public var begin = 11.0
    /// Below it a tilt ends, 0…`begin`. Default 7.5: well above the noise of a face at rest.
    public var end = 7.5
    /// Full speed, above `begin`, at most `extent`. Default 22: the low end of what a neck bends sideways, 20–45°.
    public var full = 22.0
    /// The greatest comfortable tilt, at most 90: full speed is never beyond it. Default 30.
    public var extent = 30.0

    public init() {}
  }

  public var left = Side()
  public var right = Side()
  /// Noise of the roll at rest, degrees RMS: no sensitivity puts a tilt's begin below 4 times it. Default 0.25.
  public var noise = 0.25
  /// Exponent of the steering curve, 0.2…5: 1 is linear, above 1 is finer near the centre. Default 1.5: chosen by feel.
  public var curve = 1.5
  /// Whether a tilt to the left steers right.
  public var isInverted = false

  public init() {}
}

public struct PurseSettings: Sendable, Equatable {
  /// Purse score at which a purse begins, above `end`, below 1. Default 0.777: on 13 purses and 5.9 minutes of talk of
  /// real people it found all with 1 false (see `PurseScore`).
  public var begin = 0.777
  /// Purse score below which a purse ends, above 0. Default 0.438, from the same measurement.
  public var end = 0.438
  /// Seconds the score must stay above `begin`, 0…0.5; speech lengthens it. Default 0.03: two frames at 30 fps, so that
  /// quick double purses live.
  public var hold = 0.03

  public init() {}
}

public struct JumpSettings: Sendable, Equatable {
  /// Seconds after a jump in which a purse makes none, 0…2: for lips that tremble. Default 0.
  public var interval = 0.0
  /// Whether a purse in the air jumps again.
  public var allowsDouble = true

  public init() {}
}
