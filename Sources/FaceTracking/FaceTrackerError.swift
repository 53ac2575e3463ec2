// What can keep the tracker from working, told so that the user can act.

/// Why faces cannot be tracked.
public enum FaceTrackerError: Error, Equatable {
  /// A file of the models directory does not exist.
  case modelMissing(path: String)
  /// A file of the models directory cannot be read; `reason` is the system's.
  case modelUnreadable(path: String, reason: String)
  /// A file's bytes are not those of this version: cut short, altered or of another version.
  case modelAltered(path: String, reason: String)
  /// A file is as it should be, but OpenCV cannot use it.
  case modelRejected(path: String, reason: String)
  /// The engine asked for cannot run the networks, or not on this CPU.
  case engineUnavailable(reason: String)
  /// A picture is wider or higher than 16384 pixels, or smaller than it claims.
  case unusablePicture(reason: String)
  /// A network could not be run.
  case failed(reason: String)
}

extension FaceTrackerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .modelMissing(let path):
      "model file \(path) is missing: \(Self.remedy)"
    case .modelUnreadable(let path, let reason):
      "model file \(path) cannot be read (\(reason)): check its permissions, or \(Self.remedy)"
    case .modelAltered(let path, let reason):
      "model file \(path) is damaged or of another version (\(reason)): \(Self.remedy)"
    case .modelRejected(let path, let reason):
      "OpenCV cannot use model file \(path) (\(reason)): install Debian 12's libopencv-dnn406"
    case .engineUnavailable(let reason):
      "the engine asked for cannot be used (\(reason)): leave the choice to faceplay, or choose dnn"
    case .unusablePicture(let reason):
      "a picture cannot be used (\(reason)): choose a smaller picture size"
    case .failed(let reason):
      "the face networks failed (\(reason)): close other programs if memory is short, then start again"
    }
  }

  private static let remedy =
    "reinstall faceplay, set FACEPLAY_DATA to the folder that holds models/, or run `make models` in a checkout"
}
