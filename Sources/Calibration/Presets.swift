// The sensitivity presets: profiles that come with the program.

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
