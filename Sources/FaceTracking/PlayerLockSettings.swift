// The player lock's limits.

/// Sizes are a face's longer side over its mesh, brow to chin.
struct PlayerLockSettings: Sendable {
  static let `default` = PlayerLockSettings()

  /// The smallest face that may become the player, as a fraction of the picture's shorter side. A player two metres from
  /// a webcam of 60° is at 0.15.
  var smallestFace: Float = 0.1

  /// Nanoseconds at least between searches while nobody is tracked: every third frame at 30 frames a second.
  var searchInterval: Int64 = 90_000_000

  /// Nanoseconds after a loss during which nobody else becomes the player.
  var lockTime: Int64 = 5_000_000_000

  /// How far a face moves, in face sizes: `startingReach + speed * seconds`, at most `furthestReach`. In 24 minutes of
  /// people talking, exercising and smiling at 10 to 33 frames a second the fastest moved 5.7 sizes a second, for one
  /// frame, and half a size a second is usual.
  var startingReach: Float = 0.06
  var speed: Float = 6
  var furthestReach: Float = 1.2

  /// How much a face grows or shrinks, as a factor, in the same way. In the same footage at most 1.14 in one frame.
  var startingSizeChange: Float = 1.15
  var sizeChangePerSecond: Float = 1.5
  var largestSizeChange: Float = 1.5

  func reach(after seconds: Float) -> Float {
    min(startingReach + speed * seconds, furthestReach)
  }

  func sizeChange(after seconds: Float) -> Float {
    min(startingSizeChange + sizeChangePerSecond * seconds, largestSizeChange)
  }
}
