// Files that are not whole yet, under names that say so.
import Glibc

/// Whoever writes one holds a lock on it (flock(2)) until it has its own name. One that is not locked was left behind by
/// a process that was killed.
enum PartFile {
  private static let prefix = ".faceplay-"
  private static let suffix = ".part"

  /// Makes one in a folder, whose path is empty or ends in `/`, and removes those left behind there.
  static func make(in folder: String, mode: mode_t) throws(SystemError) -> (path: String, descriptor: Int32) {
    removeAbandoned(in: folder)
    while true {
      let path = folder + prefix + String(UInt64.random(in: .min ... .max), radix: 36) + suffix
      let descriptor = try checked(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode))
      // A file system without locks keeps what is left behind.
      flock(descriptor, LOCK_EX)
      // Another process may have removed it before it was locked.
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (path, descriptor) }
      close(descriptor)
    }
  }

  private static func removeAbandoned(in folder: String) {
    guard let listing = opendir(folder.isEmpty ? "." : folder) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { continue }
      let descriptor = open(folder + name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(folder + name) }
      close(descriptor)
    }
  }
}
