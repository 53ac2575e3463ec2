// What several commands take.
import Calibration
import FacePlayService
import FaceTracking
import Gestures

extension Command.Option {
  static let profile = Command.Option(
    name: "--profile", value: "PRESET", summary: "sensitivity: low, medium (the default) or high")
  static let engine = Command.Option(
    name: "--engine", value: "ENGINE",
    summary: "what computes the face networks: fused or dnn (OpenCV); the fastest that can be had unless said")
  static let stream = Command.Option(
    name: "--stream", value: nil, summary: "write the gesture stream to standard output as JSON Lines")
}

extension Arguments {
  /// The engine named by `--engine`. Throws `UsageError`.
  func engine() throws -> LandmarkEngine? {
    guard let name = self["--engine"] else { return nil }
    guard let engine = LandmarkEngine(rawValue: name) else {
      throw UsageError.badValue(option: "--engine", value: name, allowed: LandmarkEngine.allCases.map(\.rawValue))
    }
    return engine
  }

  /// Opens a clip or trace as the options say, and tells what there is to be told of it.
  func feed(_ path: String, pace: Pace, data: DataFiles) throws -> any ObservationFeed {
    let feed = try openFeed(path, pace: pace, engine: try engine(), data: data)
    if let notice = feed.notice { printError("faceplay: \(notice)") }
    return feed
  }

  /// The preset named by `--profile`. Throws `UsageError`, `DataFileError` or `ProfileError`.
  func profile(_ data: DataFiles) throws -> Profile {
    let name = self["--profile"] ?? Preset.medium.rawValue
    guard let preset = Preset(rawValue: name) else {
      throw UsageError.badValue(option: "--profile", value: name, allowed: Preset.allCases.map(\.rawValue))
    }
    return try Profile(contentsOf: try data.path(preset.path))
  }
}
