// The player lock's limits.

/// Times are in seconds; sizes are the longer side of a face's mesh, brow to chin.
struct PlayerLockSettings: Sendable {
  static let `default` = PlayerLockSettings()

  /// The smallest face that may become the player, as a fraction of the picture's shorter side. The detector finds the
  /// portrait of the tests from 0.118 up; a player two metres from a webcam with a horizontal view of 67° is at 0.125.
  var smallestFace: Float = 0.125

  /// The least time between searches while nobody is tracked: every third frame at 30 frames a second.
  var searchInterval = 0.09

  /// How long after a loss nobody but the player becomes the player.
  var lockTime = 5.0

  /// How long another person, seen when the player was lost, is remembered after they were last in sight.
  var othersKept = 0.5

  /// How far the player's face moves, in face sizes: this and `speed` a second. In 24 minutes of people who talk,
  /// exercise and smile, at 10 to 33 frames a second, the fastest moved 5.7 sizes a second, for one frame.
  var startingReach = 0.06
  var speed = 8.0
  /// No head keeps that up: from here on, `driftingSpeed` a second, as someone who bends down or steps aside.
  var quickReach = 1.2
  var driftingSpeed = 1.0

  /// How much the face grows or shrinks, as a factor, in the same way. In the same footage at most 1.14 in one frame.
  var startingSizeChange = 1.15
  var sizeChangePerSecond = 1.5
  var largestSizeChange = 1.5

  /// In face sizes.
  func reach(after seconds: Double) -> Float {
    Float(min(startingReach + speed * seconds, quickReach + driftingSpeed * seconds))
  }

  /// A factor of at least 1.
  func sizeChange(after seconds: Double) -> Float {
    Float(min(startingSizeChange + sizeChangePerSecond * seconds, largestSizeChange))
  }
}
