// A file being written that appears under its name only when it is whole.
import Glibc

/// Regular files are written under a temporary name in the same folder and renamed by `commit()`; one that fails or is
/// never committed leaves nothing behind. A file that is replaced hands on its permissions, and through a symbolic link
/// the link's target is replaced. What is no regular file (`-` for standard output, `/dev/stdout`, `/dev/null`, a FIFO)
/// is written straight through.
///
/// After a failure every function throws that failure again. A closed pipe is an error only in a process that ignores
/// SIGPIPE; otherwise that signal ends it.
public final class OutputFile {
  /// What errors call it.
  public let name: String
  /// −1 once committed, abandoned or failed.
  private var descriptor: Int32
  /// `nil` when written straight through, and once the file has its name or is gone.
  private var replacement: Replacement?
  private var buffer: [UInt8] = []
  private var failure: StreamWriteError?

  private static let bufferSize = 1 << 16

  private struct Replacement {
    let temporaryPath: String
    /// Empty or ending in `/`.
    let folder: String
    let finalPath: String
  }

  public init(path: String) throws(StreamWriteError) {
    name = path == "-" ? "standard output" : path
    do {
      switch try OutputDestination(path: path) {
      case .descriptor(let number):
        descriptor = try checked(fcntl(number, F_DUPFD_CLOEXEC, 0))
      case .device(let path):
        descriptor = try checked(open(path, O_WRONLY | O_CLOEXEC))
      case .file(let folder, let name, let replaced):
        // Not named after the file, whose own name may be as long as names can be.
        let temporaryPath = folder + ".faceplay-\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        descriptor = try checked(
          open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaced?.mode ?? 0o666))
        replacement = Replacement(temporaryPath: temporaryPath, folder: folder, finalPath: folder + name)
        if let replaced { takeOver(replaced) }
      }
    } catch {
      throw StreamWriteError(file: name, code: error.code)
    }
  }

  deinit { abandon() }

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
      if replacement != nil { try checked(fsync(descriptor)) }
      let finished = descriptor
      descriptor = -1
      // Network file systems tell of a full disk only here.
      try checked(close(finished))
      guard let replacement else { return }
      try checked(rename(replacement.temporaryPath, replacement.finalPath))
      self.replacement = nil
      try OutputFolder.sync(replacement.folder)
    }
  }

  /// Drops the file; does nothing once it is committed. What went straight through stays written.
  public func abandon() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    if let replacement { unlink(replacement.temporaryPath) }
    replacement = nil
  }

  private func writeBuffer() throws(SystemError) {
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes { [descriptor] in
        Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        waitUntilReady(descriptor, for: POLLOUT)
      } else if errno != EINTR {
        throw SystemError(code: errno)
      }
    }
    buffer.removeAll(keepingCapacity: true)
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
