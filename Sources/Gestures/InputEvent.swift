// What the player did, as a game or tool hears it.

/// The player's own left and right, whatever the picture looks like.
public enum Direction: String, Sendable, Codable, CaseIterable {
  case left, right
}

public enum Phase: String, Sendable, Codable {
  case begin, end
}

public enum FacePresence: String, Sendable, Codable {
  case found, lost
}

/// Why all held input was let go.
public enum ReleaseReason: String, Sendable, Codable {
  case faceLost = "face-lost"
  /// Frames or their analysis stopped coming while the source is still there.
  case stalled
  case paused
  case unplugged
  case exit
}

public enum InputEvent: Sendable, Equatable {
  case tilt(Phase, Direction)
  /// `strength` is the purse score at onset, 0…1; absent on the end.
  case purse(Phase, strength: Double?)
  /// 1 from the ground, 2 in the air.
  case jump(count: Int)
  /// Steering, −1 (player's left) … 1; sent when it changes by 0.01 or more.
  case horizontal(Double)
  case face(FacePresence)
  case release(ReleaseReason)
}

/// An event with the frame it was recognised in (or, for a lease that ran out, the last frame before) and its time.
public struct TimedEvent: Sendable, Equatable {
  public let frameIndex: Int
  /// Nanoseconds on the observations' clock.
  public let timestamp: Int64
  public let event: InputEvent

  public init(frameIndex: Int, timestamp: Int64, event: InputEvent) {
    self.frameIndex = frameIndex
    self.timestamp = timestamp
    self.event = event
  }
}
