// Where output goes, found from the path the user gave.
import Glibc

enum OutputDestination {
  /// A descriptor this process already has: writing to a copy shares its position, as `>` and `>>` expect.
  case descriptor(Int32)
  /// A device, FIFO or anything else that cannot be replaced.
  case device(path: String)
  /// `folder` is empty or ends in `/`.
  case file(folder: String, name: String, replacing: ReplacedFile?)

  struct ReplacedFile {
    let mode: mode_t
    let owner: uid_t
    let group: gid_t
  }

  init(path: String) throws(SystemError) {
    guard path != "-" else {
      self = .descriptor(STDOUT_FILENO)
      return
    }
    let path = try Self.followingLinks(path)
    if let number = Self.descriptorNumber(path) {
      self = .descriptor(number)
      return
    }
    let nameStart = path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex
    let (folder, name) = (String(path[..<nameStart]), String(path[nameStart...]))
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw SystemError(code: errno) }
      guard !name.isEmpty else { throw SystemError(code: path.isEmpty ? ENOENT : EISDIR) }
      self = .file(folder: folder, name: name, replacing: nil)
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      // Renaming over a file needs no right to write to it, but its owner may have taken that away for a reason.
      try checked(access(path, W_OK))
      let replaced = ReplacedFile(mode: status.st_mode & 0o7777, owner: status.st_uid, group: status.st_gid)
      self = .file(folder: folder, name: name, replacing: replaced)
    case S_IFDIR: throw SystemError(code: EISDIR)
    default: self = .device(path: path)
    }
  }

  /// The path with symbolic links at its end followed, also to a file that does not exist yet. Stops at the process's
  /// own descriptors, whose link targets are no way to them.
  private static func followingLinks(_ path: String) throws(SystemError) -> String {
    var path = path
    // The kernel gives up after as many (path_resolution(7)).
    for _ in 0..<40 {
      guard descriptorNumber(path) == nil, let link = linkTarget(path) else { return path }
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
      path = link.hasPrefix("/") ? link : folder + link
    }
    throw SystemError(code: ELOOP)
  }

  private static func linkTarget(_ path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      let count = readlink(path, buffer.baseAddress!, buffer.count - 1)
      guard count >= 0 else { return nil }
      buffer[count] = 0
      return String(cString: buffer.baseAddress!)
    }
  }

  private static func descriptorNumber(_ path: String) -> Int32? {
    ["/proc/self/fd/", "/dev/fd/"].lazy.filter(path.hasPrefix).compactMap { Int32(path.dropFirst($0.count)) }.first
  }
}
