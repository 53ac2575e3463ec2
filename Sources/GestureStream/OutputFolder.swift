// Folders to write into.
import Glibc

public enum OutputFolder {
  /// Makes the folder and those above it that are missing, for this user alone as the XDG base directories want it;
  /// they are on the disk when this returns.
  public static func make(_ path: String) throws(StreamWriteError) {
    do {
      try makeFolder(path[...])
    } catch {
      throw StreamWriteError(file: path, code: error.code)
    }
  }

  private static func makeFolder(_ path: Substring) throws(SystemError) {
    var status = mkdir(String(path), 0o700)
    if status != 0, errno == ENOENT, path.contains("/"), parent(of: path) != path {
      try makeFolder(parent(of: path))
      status = mkdir(String(path), 0o700)
    }
    guard status != 0 else { return try sync(String(parent(of: path))) }
    guard errno == EEXIST else { throw SystemError(code: errno) }
  }

  private static func parent(of path: Substring) -> Substring {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? (path.first == "/" ? "/" : ".") : path[..<end]
  }

  /// Brings a folder's list of names to the disk. An empty path is the working directory.
  static func sync(_ path: String) throws(SystemError) {
    let descriptor = try checked(open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    defer { close(descriptor) }
    // Some file systems have nothing to bring there.
    guard fsync(descriptor) != 0, errno != EINVAL else { return }
    throw SystemError(code: errno)
  }
}
