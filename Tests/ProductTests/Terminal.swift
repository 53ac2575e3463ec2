// Test support: a pseudo-terminal with a program in it.
import Foundation
import Glibc
import Testing

/// Both of its ends.
final class PseudoTerminal {
  let primary: Int32
  /// What a program reads from and writes to.
  let secondary: FileHandle

  init(columns: UInt16, rows: UInt16) throws {
    primary = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (number, lock): (Int32, Int32) = (0, 0)
    // ioctl_tty(2): TIOCSPTLCK and TIOCGPTN, macros that Swift does not see.
    try #require(ioctl(primary, 0x4004_5431, &lock) == 0 && ioctl(primary, 0x8004_5430, &number) == 0)
    secondary = FileHandle(
      fileDescriptor: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC), closeOnDealloc: true)
    resize(columns: columns, rows: rows)
  }

  deinit { close(primary) }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(primary, UInt(TIOCSWINSZ), &size)
  }
}

/// A session of its own whose controlling terminal this is, 120 columns wide.
final class Terminal {
  let process = Process()
  private let pair: PseudoTerminal
  private var primary: Int32 { pair.primary }
  private var output: [UInt8] = []
  /// Up to where it has been waited for.
  private var seen = 0

  init(_ command: [String], environment: [String: String] = [:]) throws {
    pair = try PseudoTerminal(columns: 120, rows: 50)
    let secondary = pair.secondary
    process.executableURL = URL(filePath: "/usr/bin/setsid")
    process.arguments = ["--ctty", "--wait"] + command
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 }
    (process.standardInput, process.standardOutput, process.standardError) = (secondary, secondary, secondary)
    // This thread's mask, which holds most signals back, would be the program's too.
    var (none, mask) = (sigset_t(), sigset_t())
    pthread_sigmask(SIG_SETMASK, &none, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    try process.run()
    try secondary.close()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  func type(_ text: String) { _ = write(primary, text, text.utf8.count) }

  /// Waits until the program has shown the text since the last wait; `false` when it ends, or takes longer than anything
  /// here should.
  func wait(for text: String) -> Bool {
    let patience = Date(timeIntervalSinceNow: 60)
    repeat {
      if let found = output[seen...].firstRange(of: Array(text.utf8)) {
        seen = found.upperBound
        return true
      }
    } while Date() < patience && readMore()
    return false
  }

  /// Everything shown by the program's end.
  func finish() -> String {
    while readMore() {}
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  /// The process group that has the terminal.
  var foreground: pid_t { tcgetpgrp(primary) }

  /// Whether the terminal edits and shows lines as a shell wants it.
  var isOrdinary: Bool {
    var mode = termios()
    return tcgetattr(primary, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
  }

  private func readMore() -> Bool {
    var state = pollfd(fd: primary, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, 20_000) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(primary, &bytes, bytes.count)
    if count > 0 { output += bytes[..<count] }
    return count > 0
  }
}
