// Where runs are kept: alone, or with their videos.
import FacePlayService
import GestureStream

enum RunDestination {
  case run(path: String)
  case video(path: String)

  /// Found by what the name ends in. Throws `UsageError`, and `StreamWriteError` when nothing can be written there:
  /// better before the game than after.
  init(_ path: String) throws {
    if path.isName(endingIn: ".mp4") {
      self = .video(path: path)
      try VideoRecording.check(path)
    } else if path.isName(endingIn: ".json") {
      self = .run(path: path)
      _ = try OutputFile(path: path)
    } else {
      throw UsageError.badValue(option: "--record", value: path, allowed: ["a name that ends in .mp4 or .json"])
    }
  }
}
