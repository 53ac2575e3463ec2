// Ctrl-C, Ctrl-Z and their kin as calls on a thread of its own.
import FacePlayService
import Glibc

/// SIGINT, SIGTERM and SIGHUP end the work; SIGTSTP and SIGCONT stop the process and let it go on.
enum Interruption {
  /// Keeps the signals back until `call` is ready for them. Must be called before any other thread starts, so that all
  /// leave them alone. SIGPIPE is ignored: a closed pipe is an error where it is written.
  static func hold() {
    signal(SIGPIPE, SIG_IGN)
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Calls `handler` on the first signal that ends, from another thread; a second one ends the process at once.
  /// `onStop` is called before the process stops, and `onContinue` when it goes on, whoever stopped it.
  static func call(
    onStop: @escaping @Sendable () -> Void = {}, onContinue: @escaping @Sendable () -> Void = {},
    _ handler: @escaping @Sendable () -> Void
  ) {
    _ = WorkerThread("signals") {
      var isEnding = false
      while true {
        switch next() {
        case SIGTSTP:
          onStop()
          stop()
          onContinue()
        case SIGCONT: onContinue()
        case let number where isEnding:
          KeyMode.leave()
          _exit(128 + number)
        default:
          isEnding = true
          handler()
        }
      }
    }
  }

  private static func next() -> Int32 {
    var signals = Self.signals
    var number: Int32 = 0
    sigwait(&signals, &number)
    return number
  }

  /// Stops as SIGTSTP would have done; the kernel takes it only where a shell can continue the process.
  private static func stop() {
    var signal = sigset_t()
    sigemptyset(&signal)
    sigaddset(&signal, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &signal, nil)
    raise(SIGTSTP)
    pthread_sigmask(SIG_BLOCK, &signal, nil)
  }

  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT] { sigaddset(&set, number) }
    return set
  }
}
