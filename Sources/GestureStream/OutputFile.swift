// A file being written that appears under its name only when it is whole.
import Frames
import Glibc

/// Regular files are written under a temporary name in the same folder and renamed by `commit()`; one that fails or is
/// never committed leaves nothing behind; what a killed process left goes when the next file is made there. A file that
/// is replaced hands on its permissions, one that appeared meanwhile is left alone and said as `exists`, and through a symbolic link the link's target is replaced. What is no regular
/// file (`-` for standard output, `/dev/stdout`, `/dev/null`, a FIFO) is written straight through, for as long as its
/// reader takes: until `cancellation` is thrown.
///
/// After a failure every function throws that failure again. A closed pipe is an error only in a process that ignores
/// SIGPIPE; otherwise that signal ends it.
public final class OutputFile {
  /// What errors call it.
  public let name: String
  /// −1 once committed, abandoned or failed.
  private var descriptor: Int32
  /// Of a regular file, empty or ending in `/`; `nil` when written straight through.
  private let folder: String?
  /// `nil` when written under its own name or straight through, and once the file has its name or is gone.
  private var replacement: Replacement?
  private var buffer: [UInt8] = []
  private var failure: StreamWriteError?

  private let cancellation: Cancellation

  private static let bufferSize = 1 << 16
  /// Bytes that a pipe takes at once when it is ready for any (pipe(7)).
  private static let pipeBuffer = 4096
  /// Milliseconds that a reader who is merely slow has left once cancelled, for the end to reach it.
  private static let grace: Int32 = 250
  /// Nanoseconds between looks for a FIFO's reader.
  private static let readerInterval: Int64 = 20_000_000

  private struct Replacement {
    let temporaryPath: String
    let finalPath: String
    /// Nothing was there at the start: what has appeared since is somebody else's.
    let isNew: Bool
  }

  public init(path: String, cancellation: Cancellation = Cancellation()) throws(StreamWriteError) {
    self.cancellation = cancellation
    name = path == "-" ? "standard output" : path
    do {
      switch try OutputDestination(path: path) {
      case .descriptor(let number):
        folder = nil
        descriptor = try checked(Self.duplicate(number))
      case .device(let path):
        folder = nil
        descriptor = try Self.openDevice(path, cancellation)
      case .file(let folder, let name, let replaced):
        // Not named after the file, whose own name may be as long as names can be.
        let part = try PartFile.make(in: folder, mode: replaced?.mode ?? 0o666)
        self.folder = folder
        descriptor = part.descriptor
        replacement = Replacement(temporaryPath: part.path, finalPath: folder + name, isNew: replaced == nil)
        if let replaced { takeOver(replaced) }
      }
    } catch {
      throw StreamWriteError(file: name, code: error.code)
    }
  }

  /// A file that grows under its own name, to outlive a process that is killed: what has been flushed stays, whatever
  /// happens. One that is there already is left alone, and said as `exists`.
  public init(growing path: String) throws(StreamWriteError) {
    cancellation = Cancellation()
    name = path
    folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw StreamWriteError(file: path, code: errno) }
  }

  deinit { abandon() }

  /// Sees that a file may be made at `path` and that there is none: before long work, not after. What is written
  /// straight through may always be.
  public static func checkNew(_ path: String) throws(StreamWriteError) {
    do throws(SystemError) {
      guard case .file(let folder, _, let replaced) = try OutputDestination(path: path) else { return }
      guard replaced == nil else { throw SystemError(code: EEXIST) }
      try checked(access(folder.isEmpty ? "." : folder, W_OK | X_OK))
    } catch {
      throw StreamWriteError(file: path, code: error.code)
    }
  }

  /// Adds bytes, which reach the file when a buffer is full, on `flush()` and on `commit()`.
  public func write(_ bytes: [UInt8]) throws(StreamWriteError) {
    buffer += bytes
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Hands everything written so far to the system: for output that is followed live.
  public func flush() throws(StreamWriteError) {
    try attempt(writeBuffer)
  }

  /// Writes the rest, brings it to the disk and gives the file its name, which is on the disk too when this returns.
  /// Nothing can be written after.
  public func commit() throws(StreamWriteError) {
    try attempt { () throws(SystemError) in
      try writeBuffer()
      if folder != nil { try checked(fsync(descriptor)) }
      // Network file systems tell of a full disk only when a descriptor is closed; the part's lock needs this one.
      try checked(close(try checked(fcntl(descriptor, F_DUPFD_CLOEXEC, 0))))
      if let replacement { try Self.rename(replacement) }
      replacement = nil
      abandon()
      if let folder { try OutputFolder.sync(folder) }
    }
  }

  /// `commit()` for what is not whole: the file gets a name of its own beside the one it was meant for, which is
  /// returned: `clip.partial.csv` for `clip.csv`, with a number where there is such a file already.
  public func commitPartial() throws(StreamWriteError) -> String {
    if let whole = replacement {
      let path = NumberedNames(whole.finalPath).marked(".partial").firstFree
      replacement = Replacement(temporaryPath: whole.temporaryPath, finalPath: path, isNew: true)
    }
    let path = replacement?.finalPath ?? name
    try commit()
    return path
  }

  /// Drops the file; does nothing once it is committed. What went straight through or under its own name stays written.
  public func abandon() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    if let replacement { unlink(replacement.temporaryPath) }
    replacement = nil
  }

  private func writeBuffer() throws(SystemError) {
    var written = 0
    while written < buffer.count {
      // After the commit; waiting for it would have no end.
      guard descriptor >= 0 else { throw SystemError(code: EBADF) }
      guard cancellation.wait(for: POLLOUT, of: descriptor, grace: Self.grace) else {
        throw SystemError(code: EINTR)
      }
      let most = folder == nil ? Self.pipeBuffer : .max
      let count = buffer.withUnsafeBytes { [descriptor] in
        Glibc.write(descriptor, $0.baseAddress! + written, min($0.count - written, most))
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR && errno != EAGAIN {
        throw SystemError(code: errno)
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// A descriptor of the same file. A pipe or terminal is opened anew where that is allowed, to be written without
  /// blocking: the flag on a mere copy would be set for every process that shares it.
  private static func duplicate(_ number: Int32) -> Int32 {
    var status = stat()
    let flags = fcntl(number, F_GETFD)
    guard flags >= 0, flags & FD_CLOEXEC == 0 else {
      // Not the caller's but one of this process's own.
      errno = EBADF
      return -1
    }
    let isWritable = fcntl(number, F_GETFL) & O_ACCMODE != O_RDONLY
    if isWritable, fstat(number, &status) == 0, [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) {
      let opened = open("/proc/self/fd/\(number)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      if opened >= 0 { return opened }
    }
    return fcntl(number, F_DUPFD_CLOEXEC, 0)
  }

  /// A FIFO takes a writer once somebody reads: that is waited for.
  private static func openDevice(_ path: String, _ cancellation: Cancellation) throws(SystemError) -> Int32 {
    while true {
      let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      var status = stat()
      guard descriptor < 0, errno == ENXIO, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
        return try checked(descriptor)
      }
      guard !cancellation.sleep(until: MonotonicClock.now + readerInterval) else { throw SystemError(code: EINTR) }
    }
  }

  private static func rename(_ replacement: Replacement) throws(SystemError) {
    let (from, to) = (replacement.temporaryPath, replacement.finalPath)
    if replacement.isNew {
      // Unlike a renamed file, a link takes nobody's place.
      if link(from, to) == 0 {
        unlink(from)
        return
      }
      // Some file systems have none.
      guard errno == EPERM || errno == EOPNOTSUPP else { throw SystemError(code: errno) }
    }
    try checked(Glibc.rename(from, to))
  }

  /// Owner and group as far as this process may, then the mode, which a change of owner clears in part.
  private func takeOver(_ replaced: OutputDestination.ReplacedFile) {
    _ = fchown(descriptor, replaced.owner, replaced.group)
    _ = fchmod(descriptor, replaced.mode)
  }

  private func attempt(_ body: () throws(SystemError) -> Void) throws(StreamWriteError) {
    if let failure { throw failure }
    do {
      try body()
    } catch {
      let failure = StreamWriteError(file: name, code: error.code)
      self.failure = failure
      abandon()
      throw failure
    }
  }
}
