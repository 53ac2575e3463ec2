// Where runs are kept: alone, or with their videos.
import FacePlayService
import GestureStream

enum RunDestination {
  case run(path: String)
  case video(path: String)

  /// Found by what the name ends in. Throws `UsageError`, and `StreamWriteError` when nothing can be written there:
  /// better before the game than after.
  init(_ path: String) throws {
    switch fileExtension(of: path) {
    case ".mp4":
      self = .video(path: path)
      try VideoRecording.check(path)
    case ".json":
      self = .run(path: path)
      try OutputFile.checkNew(path)
    default:
      throw UsageError.badValue(option: "--record", value: path, must: "be a name that ends in .mp4 or .json")
    }
  }
}
