// Keys from the terminal, on a thread of their own.
import FacePlayService
import Glibc
import Synchronization

/// Takes keys until it is stopped or the terminal is gone; while the process is in the background it reads nothing.
final class TerminalKeys: Sendable {
  /// Milliseconds between looks at whether to go on.
  private static let patience: Int32 = 100

  /// Whether there are keys to take, and a view to show what they do.
  static var areAvailable: Bool { TerminalScreen.isAvailable && isatty(STDIN_FILENO) == 1 }

  private let isStopped: Flag
  private let thread: WorkerThread

  /// Enters the terminal's key mode.
  init(_ onKey: @escaping @Sendable (Key) -> Void) {
    let isStopped = Flag()
    self.isStopped = isStopped
    KeyMode.enter()
    thread = WorkerThread("keys") {
      var reader = KeyReader()
      while !isStopped.isRaised, let bytes = Self.bytes() { reader.keys(in: bytes).forEach(onKey) }
    }
  }

  /// Gives the terminal back; must be called once.
  func stop() {
    isStopped.raise()
    thread.join()
    KeyMode.leave()
  }

  /// Takes the terminal again after the process was stopped, from whichever thread hears of that.
  func resume() {
    if !isStopped.isRaised { KeyMode.enter() }
  }

  /// What has been typed, after a while at most; `nil` once the terminal is gone.
  private static func bytes() -> ArraySlice<UInt8>? {
    // A negative descriptor is passed over.
    var input = pollfd(fd: KeyMode.isEntered ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, patience) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    return count > 0 ? bytes[..<count] : (count < 0 && errno == EINTR ? [] : nil)
  }
}
