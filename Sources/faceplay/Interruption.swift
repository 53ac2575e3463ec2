// Ctrl-C, Ctrl-Z and their kin as calls on threads of their own.
import FacePlayService
import Frames
import Glibc
import Synchronization

/// The signals that end a command (SIGINT, SIGTERM, SIGHUP), and those of a terminal that stop it, let it go on, or end
/// it with a core dump (SIGTSTP, SIGCONT, SIGQUIT).
enum Interruption {
  /// Thrown by the first signal that ends: whoever waits for a reader, or for input, waits no longer.
  static let cancellation = Cancellation()
  private static let ending = [SIGINT, SIGTERM, SIGHUP]
  /// 0 before the first.
  private static let received = Atomic<Int32>(0)

  /// What a command does on a signal, beside ending.
  struct Stop: Sendable {
    /// Before it is stopped.
    var before: @Sendable () -> Void = {}
    /// When it goes on.
    var after: @Sendable () -> Void = {}
  }

  /// Keeps the signals back until `call` is ready for them. Must be called before any other thread starts, so that all
  /// leave them alone. SIGPIPE is ignored: a closed pipe is an error where it is written.
  static func hold() {
    signal(SIGPIPE, SIG_IGN)
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Calls `handler` on the first signal that ends, from another thread; a second one ends the process at once.
  static func call(_ stop: Stop = Stop(), _ handler: @escaping @Sendable () -> Void) {
    let stops = StopThread()
    _ = WorkerThread("signals") {
      while true {
        var signals = Self.signals
        var number: Int32 = 0
        sigwait(&signals, &number)
        switch number {
        case SIGTSTP:
          stops.finish(stop.before)
          giveTerminalBack()
          takeDefaultAction(SIGTSTP)
          // Also where the kernel did not stop it.
          stops.begin(stop.after)
        case SIGCONT: stops.begin(stop.after)
        case SIGQUIT:
          giveTerminalBack()
          takeDefaultAction(SIGQUIT)
        case _ where received.exchange(number, ordering: .relaxed) == 0:
          cancellation.cancel()
          handler()
        default:
          giveTerminalBack()
          _exit(128 + number)
        }
      }
    }
  }

  /// For commands with nothing to finish.
  static func endAtOnce() {
    call { _exit(status(default: .ok).rawValue) }
  }

  /// Of work that a signal cut short, or `status` if none did.
  static func status(default status: ExitStatus) -> ExitStatus {
    ExitStatus(rawValue: 128 + received.load(ordering: .relaxed)) ?? status
  }

  /// Of live work, which Ctrl-C is the usual end of.
  static func liveStatus(default status: ExitStatus) -> ExitStatus {
    received.load(ordering: .relaxed) == SIGINT ? .ok : Self.status(default: status)
  }

  private static func giveTerminalBack() {
    KeyMode.leave()
    TerminalScreen.giveBack()
  }

  /// As if the signal had never been held back; the kernel knows when there is no shell to let the process go on.
  private static func takeDefaultAction(_ number: Int32) {
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, number)
    // Swift's backtracer would ask on the terminal.
    signal(number, SIG_DFL)
    pthread_kill(pthread_self(), number)
    pthread_sigmask(SIG_UNBLOCK, &one, nil)
    pthread_sigmask(SIG_BLOCK, &one, nil)
  }

  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in ending + [SIGTSTP, SIGCONT, SIGQUIT] where number != SIGHUP || !ignoresHangUp {
      sigaddset(&set, number)
    }
    return set
  }

  /// As nohup has it: a signal that is held back comes even where it is ignored.
  private static let ignoresHangUp: Bool = {
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }()
}

/// Does what there is to do about a stop, in turn; of what waits, the newest. Output that nobody reads holds up this
/// thread, not the signals': the process stops and ends all the same.
private struct StopThread {
  /// Nanoseconds that what is done before a stop may take.
  private static let patience: Int64 = 100_000_000

  private let tasks = NewestSlot<@Sendable () -> Void>()

  init() {
    _ = WorkerThread("stops") { [tasks] in
      while let task = tasks.take() { task() }
    }
  }

  func begin(_ task: @escaping @Sendable () -> Void) { tasks.put(task) }

  /// Waits for it, within reason.
  func finish(_ task: @escaping @Sendable () -> Void) {
    let done = Cancellation()
    begin {
      task()
      done.cancel()
    }
    _ = done.sleep(until: MonotonicClock.now + Self.patience)
  }
}
