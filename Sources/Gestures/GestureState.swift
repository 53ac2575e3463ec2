// The signals of one frame after filtering, against the player's neutral.

/// What the recognisers made of one frame: the stream's `frame` record.
public struct GestureState: Sendable, Equatable {
  public let frameIndex: Int
  /// Nanoseconds on the observations' clock.
  public let timestamp: Int64
  /// `nil` when there was no face in this frame.
  public let signals: Signals?
  /// Steering as a game gets it, −1 (player's left) … 1.
  public let horizontal: Double

  public struct Signals: Sendable, Equatable {
    /// Landmark confidence, 0…1.
    public let confidence: Double
    /// Degrees, filtered, relative to the player's neutral; positive to the player's right.
    public let roll: Double
    /// Degrees; positive when the player turns to their right.
    public let yaw: Double
    /// Degrees; positive when the player looks up.
    public let pitch: Double
    /// Purse score, 0…1, with what speech, a quiet mouth and an open jaw make of it.
    public let purse: Double
    /// Jaw opening, 0…1.
    public let jawOpen: Double
    /// Degrees, as measured in the picture: unfiltered, no neutral.
    public let rawRoll: Double
    /// Purse score from this frame's lip shape alone, 0…1.
    public let rawPurse: Double

    public init(
      confidence: Double, roll: Double, yaw: Double, pitch: Double, purse: Double, jawOpen: Double,
      rawRoll: Double, rawPurse: Double
    ) {
      self.confidence = confidence
      self.roll = roll
      self.yaw = yaw
      self.pitch = pitch
      self.purse = purse
      self.jawOpen = jawOpen
      self.rawRoll = rawRoll
      self.rawPurse = rawPurse
    }
  }

  public init(frameIndex: Int, timestamp: Int64, signals: Signals?, horizontal: Double) {
    self.frameIndex = frameIndex
    self.timestamp = timestamp
    self.signals = signals
    self.horizontal = horizontal
  }
}
