// A file that is read here and there.
import Capture
import Glibc

/// Failures are `CaptureError`.
struct SeekableFile: ~Copyable {
  private let path: String
  private let descriptor: Int32

  /// A folder, pipe or device is refused, and never waited for.
  init(_ path: String) throws(CaptureError) {
    self.path = path
    descriptor = try openRegularFile(path)
  }

  deinit { close(descriptor) }

  /// Bytes.
  var size: Int64 { Int64(max(lseek(descriptor, 0, SEEK_END), 0)) }

  /// Up to so many, fewer only at the end of the file.
  func bytes(_ count: Int, from offset: Int64) throws(CaptureError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(min(Int64(count), max(size - offset, 0))))
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + done, $0.count - done, off_t(offset) + done)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path: path, errno: errno) }
      // Shorter than it was.
      guard count > 0 else { return Array(bytes[..<done]) }
      done += count
    }
    return bytes
  }
}
