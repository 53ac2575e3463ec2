// The sensitivity presets: profiles that come with the program, and what becomes of one that is changed.
import Gestures

/// The presets, by the names of their files in `calibration/presets`.
public enum Preset: String, Sendable, CaseIterable {
  /// Large, clear gestures only.
  case low
  case medium
  /// Small gestures count.
  case high

  /// Where the preset is below the data folder.
  public var path: String { "calibration/presets/\(rawValue).json" }
}

extension Profile {
  /// The name that a player's first own profile gets.
  public static let ownName = "mine"

  /// For keeping: a preset is never overwritten, its player gets a profile of their own.
  public var own: Profile {
    var own = self
    if Preset(rawValue: name) != nil { own.name = Self.ownName }
    return own
  }
}
