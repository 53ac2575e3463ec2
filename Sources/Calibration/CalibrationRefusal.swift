// Why a calibration ends without a profile.
import Gestures

/// A profile from this recording would not work.
public enum CalibrationRefusal: Error, Sendable, Equatable {
  /// Every part was skipped.
  case nothingMeasured
  /// The face was not there, or not for long enough.
  case noFace
  case noTilt(Direction)
  /// Degrees: the tilt is not clear of the roll's noise at rest.
  case tremble(Direction, extent: Double, noise: Double)
  /// Degrees: pursing rolls the head nearly as far as the player can tilt.
  case purseTilts(Direction, extent: Double, roll: Double)
  case noPurse
  /// Lips at rest, tilted or smiling reach as high as purses.
  case purseLikeRest
  /// Talk reaches as high as purses: the share missed, and false purses a minute of talk.
  case purseLikeTalk(miss: Double, falsePerMinute: Double)
  /// The recording itself would not play under the profile found.
  case trial
  /// The pictures ended first.
  case ended
}
