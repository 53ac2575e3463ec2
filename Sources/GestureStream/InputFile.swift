// A file, pipe or buffer being read, in chunks as its bytes come.
import Frames
import Glibc

/// The readers' way to bytes: whole lines or counted runs, never more in memory than one of them and a chunk.
public final class InputFile {
  /// What errors call it.
  public let name: String
  /// −1 when the buffer holds everything there is.
  private let descriptor: Int32
  private let cancellation: Cancellation
  /// What has been read, of which everything before `start` has been handed out.
  private var buffer: [UInt8]
  private var start = 0
  private var chunk: [UInt8] = []
  /// Of the line read last, from 1.
  private var lineNumber = 0

  /// A line without its line ending.
  struct Line {
    var bytes: ArraySlice<UInt8>
    /// Whether `\n` followed; otherwise the input ended here.
    var isTerminated: Bool
  }

  /// Opens a file; `-` is standard input. Once cancelled, what has not come yet counts as missing, as at the end.
  /// Throws `unreadable`.
  public convenience init(
    path: String, cancellation: Cancellation = Cancellation()
  ) throws(StreamReadError) {
    let name = path == "-" ? "standard input" : path
    // A pipe without a writer is waited for where that can be cancelled: when it is read.
    let descriptor =
      path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 {
      throw StreamReadError(file: name, place: .file, cause: .unreadable(code: errno))
    }
    self.init(descriptor: descriptor, name: name, cancellation: cancellation)
  }

  /// Reads an open file, which is this one's from here on.
  public init(descriptor: Int32, name: String, cancellation: Cancellation = Cancellation()) {
    self.name = name
    self.descriptor = descriptor
    self.cancellation = cancellation
    buffer = []
    chunk = [UInt8](repeating: 0, count: 1 << 16)
  }

  public init(bytes: [UInt8], name: String) {
    self.name = name
    descriptor = -1
    cancellation = Cancellation()
    buffer = bytes
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The next line; `nil` at the end. Throws `lineTooLong` or `unreadable`.
  func line() throws(StreamReadError) -> Line? {
    lineNumber += 1
    var searched = 0
    repeat {
      if let newline = buffer[(start + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
        guard newline - start <= StreamLimits.lineLength else { throw error(.lineTooLong) }
        defer { start = newline + 1 }
        return Line(bytes: buffer[start..<newline], isTerminated: true)
      }
      searched = buffer.count - start
      guard searched <= StreamLimits.lineLength else { throw error(.lineTooLong) }
    } while try fill()
    guard start < buffer.count else { return nil }
    defer { start = buffer.count }
    return Line(bytes: buffer[start...], isTerminated: false)
  }

  /// What is wrong with the line read last.
  func error(_ cause: StreamReadError.Cause) -> StreamReadError {
    StreamReadError(file: name, place: .line(lineNumber), cause: cause)
  }

  /// The next `count` bytes, or as many as there are before the end. Throws `unreadable`.
  public func bytes(_ count: Int) throws(StreamReadError) -> ArraySlice<UInt8> {
    while buffer.count - start < count, try fill() {}
    defer { start = min(start + count, buffer.count) }
    return buffer[start...].prefix(count)
  }

  /// Reads what has come, waiting for at least a byte; `false` at the end and once cancelled.
  private func fill() throws(StreamReadError) -> Bool {
    guard descriptor >= 0 else { return false }
    buffer.removeFirst(start)
    start = 0
    while cancellation.wait(for: POLLIN, of: descriptor), !cancellation.isCancelled {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        buffer += chunk[..<count]
        return count > 0
      }
      switch errno {
      case EINTR, EAGAIN: continue
      case let code: throw StreamReadError(file: name, place: .file, cause: .unreadable(code: code))
      }
    }
    return false
  }
}
