// What several commands take.
import Calibration
import FacePlayService
import Gestures

extension Command.Option {
  static let profile = Command.Option(
    name: "--profile", value: "PRESET", summary: "sensitivity: low, medium (the default) or high")
  static let keepRate = Command.Option(
    name: "--keep-rate", value: nil, summary: "keep a camera's frame rate in poor light; the picture gets darker")
  static let stream = Command.Option(
    name: "--stream", value: nil, summary: "write the gesture stream to standard output as JSON Lines")
}

extension Arguments {
  /// The preset named by `--profile`. Throws `UsageError`, `DataFileError` or `ProfileError`.
  func profile(_ data: DataFiles) throws -> Profile {
    let name = self["--profile"] ?? Preset.medium.rawValue
    guard let preset = Preset(rawValue: name) else {
      throw UsageError.badValue(option: "--profile", value: name, allowed: Preset.allCases.map(\.rawValue))
    }
    return try Profile(contentsOf: try data.path(preset.path))
  }
}
