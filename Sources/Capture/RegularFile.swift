// Files that clips and traces are read from.
import Glibc

/// A descriptor of the regular file at `path`, for reading. A pipe without a writer does not make this wait.
public func openRegularFile(_ path: String) throws(CaptureError) -> Int32 {
  let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
  guard file >= 0 else {
    switch errno {
    case ENOENT, ENOTDIR: throw .fileNotFound(path: path)
    case EACCES, EPERM: throw .noPermission(path: path)
    // What opening a socket or a device without driver gives.
    case ENXIO, ENODEV: throw .notARegularFile(path: path)
    default: throw .unreadable(path: path, errno: errno)
    }
  }
  var status = stat()
  guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
    close(file)
    throw .notARegularFile(path: path)
  }
  return file
}

/// A file's name without its folders, as people know it.
public func fileName(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
