// What can keep a source from delivering frames, and what to do about it.
import Glibc

public enum CaptureError: Error, Sendable, Equatable {
  case fileNotFound(path: String)
  case noPermission(path: String)
  /// A folder, pipe, socket or device.
  case notARegularFile(path: String)
  case unreadable(path: String, errno: Int32)
  case notAVideo(path: String, reason: String)
  case noVideoStream(path: String)
  case noDecoder(path: String, codec: String)
  case tooLarge(path: String, size: String, maximumSide: Int)
  /// There is a video stream, but not one picture of it could be decoded.
  case noPictures(path: String, skippedPackets: Int)
  case outOfMemory(path: String)
  case noCamera
  /// No camera has this name.
  case noSuchCamera(String, known: [String])
  case ambiguousCamera(String, paths: [String])
  /// Nothing is plugged in under this path.
  case noSuchDevice(path: String)
  /// A device that delivers no pictures, such as a camera's metadata node.
  case notACamera(path: String)
  /// `holder` is the program that has it open, where that can be found out.
  case cameraBusy(path: String, holder: String?)
  /// `group` may open it.
  case cameraDenied(path: String, group: String?)
  case noUsableMode(path: String, offered: String)
  case cameraFailed(path: String, errno: Int32)
}

extension CaptureError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .fileNotFound(let path):
      "\(path): no such file; check the spelling and the folder"
    case .noPermission(let path):
      "\(path): no permission to read it (see ls -l \(path))"
    case .notARegularFile(let path):
      "\(path) is a folder, pipe or device; name a file"
    case .unreadable(let path, let errno):
      "\(path) cannot be read: \(String(cString: strerror(errno)))"
    case .notAVideo(let path, let reason):
      "\(path) is not a video, or is damaged (\(reason)); ffprobe \(path) may tell more"
    case .noVideoStream(let path):
      "\(path) has no video stream, only sound or data; name a file with pictures"
    case .noDecoder(let path, let codec):
      "\(path): no decoder for its video (\(codec)); convert it first, as with ffmpeg -i IN -c:v libx264 OUT.mp4"
    case .tooLarge(let path, let size, let maximumSide):
      "\(path): its pictures are \(size), more than \(maximumSide) pixels a side; "
        + "scale it down first, as with ffmpeg -i IN -vf scale=1280:-2 OUT.mp4"
    case .noPictures(let path, let skippedPackets):
      "\(path): there is no picture in it that can be read "
        + "(\(skippedPackets) damaged packets skipped); use another copy of the file"
    case .outOfMemory(let path):
      "\(path): not enough memory for its pictures; scale it down first"
    case .noCamera:
      "no camera is plugged in"
    case .noSuchCamera(let name, let known):
      "there is no file and no camera called “\(name)”; "
        + (known.isEmpty ? "no camera is plugged in" : "the cameras are: \(known.joined(separator: ", "))")
    case .ambiguousCamera(let name, let paths):
      "several cameras are called “\(name)”; name one by its path: \(paths.joined(separator: ", "))"
    case .noSuchDevice(let path):
      "\(path): no such camera; faceplay cameras lists those that are plugged in"
    case .notACamera(let path):
      "\(path) is not a camera that delivers pictures; faceplay cameras lists those that do"
    case .cameraBusy(let path, let holder):
      "\(path) is busy: \(holder ?? "another program") has it open (see fuser -v \(path)); close it there first"
    case .cameraDenied(let path, let group?):
      "no permission to open \(path): only the group “\(group)” may; "
        + "run sudo usermod -aG \(group) $USER, then log in again"
    case .cameraDenied(let path, nil):
      "no permission to open \(path) (see ls -l \(path))"
    case .noUsableMode(let path, let offered):
      "\(path) offers no picture format that can be read here, only \(offered.isEmpty ? "none at all" : offered)"
    case .cameraFailed(let path, let errno):
      "\(path) fails: \(String(cString: strerror(errno))); unplug the camera and plug it in again"
    }
  }
}
