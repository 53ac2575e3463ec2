// A profile's file, read with care.
import FoundationEssentials
import Gestures
import Glibc

extension Profile {
  /// Reads and checks a profile's file; `nil` when there is none. Nothing that is no regular file is waited for, and no
  /// more is read than a profile takes. Throws `unreadable`, `notAProfile`, `futureVersion` or `unworkable`.
  public static func read(_ path: String) throws(ProfileError) -> Profile? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path: path, reason: "it is not a regular file")
    }
    var bytes = [UInt8](repeating: 0, count: greatestFileSize + 1)
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count) }
      if more == 0 { break }
      guard more > 0 || errno == EINTR else {
        throw .unreadable(path: path, reason: String(cString: strerror(errno)))
      }
      count += max(more, 0)
    }
    guard count <= greatestFileSize else {
      throw .notAProfile(path: path, reason: "it is larger than \(greatestFileSize) bytes, which none is")
    }
    return try Profile(json: Data(bytes[..<count]), path: path)
  }
}
