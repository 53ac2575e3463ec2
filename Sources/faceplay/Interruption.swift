// Ctrl-C and its kin as a call on a thread of its own.
import FacePlayService
import Glibc

/// SIGINT, SIGTERM and SIGHUP.
enum Interruption {
  /// Keeps the signals back until `call` is ready for them. Must be called before any other thread starts, so that all
  /// leave them alone. SIGPIPE is ignored: a closed pipe is an error where it is written.
  static func hold() {
    signal(SIGPIPE, SIG_IGN)
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Calls `handler` on the first signal, from another thread; a second signal ends the process at once.
  static func call(_ handler: @escaping @Sendable () -> Void) {
    _ = WorkerThread("signals") {
      var signals = Self.signals
      var number: Int32 = 0
      sigwait(&signals, &number)
      handler()
      sigwait(&signals, &number)
      _exit(128 + number)
    }
  }

  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, number) }
    return set
  }
}
