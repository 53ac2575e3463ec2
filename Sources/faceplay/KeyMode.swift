// The terminal's mode while keys are taken one by one, and giving it back whatever happens.
import Glibc
import Synchronization

/// Keys come without Return and are not shown; Ctrl-C and Ctrl-Z stay signals.
enum KeyMode {
  /// Signals that end the process where it stands.
  private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT, SIGSYS]

  static var isEntered: Bool { entered.load(ordering: .acquiring) }

  /// Enters the mode where standard input is a terminal and this process is in its foreground: from the background it
  /// is not ours to change. Not to be called from two threads at once.
  static func enter() {
    guard !isEntered, isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
    guard tcgetattr(STDIN_FILENO, &original) == 0 else { return }
    leaveOnCrash()
    var mode = original
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      (characters[Int(VMIN)], characters[Int(VTIME)]) = (1, 0)
    }
    entered.store(true, ordering: .releasing)
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
  }

  /// Gives the terminal back as it was. Safe in a signal handler.
  static func leave() {
    guard entered.exchange(false, ordering: .acquiringAndReleasing) else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &original)
    // A crash leaves the screen no time to do so.
    let showCursor: StaticString = "\u{1B}[?25h"
    writeSoon(UnsafeBufferPointer(start: showCursor.utf8Start, count: showCursor.utf8CodeUnitCount), to: STDOUT_FILENO)
  }

  private static func leaveOnCrash() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      KeyMode.leave()
      // Its disposition is the default one again.
      raise(number)
    }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
    for number in crashes { sigaction(number, &action, nil) }
  }
}

private let entered = Atomic(false)
/// Written before `entered` is set and read after: that orders them.
private nonisolated(unsafe) var original = termios()
