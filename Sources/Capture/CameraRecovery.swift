// What to do when a camera stops delivering: a state machine without device or clock.

/// How a camera is doing, as it is told to the player.
public enum CameraCondition: Sendable, Equatable {
  case delivering
  /// No frame for a second, and no error either.
  case stalled
  case unplugged
  /// Another program took it. `holder` names that program where it can be found out.
  case busy(holder: String?)
  /// `group` is the group that may open it.
  case denied(group: String?)
  case failing(errno: Int32)
}

/// Why a camera could not be opened, started or read.
enum CameraFault: Error, Equatable {
  case gone
  case busy(holder: String?)
  case denied(group: String?)
  /// It offers no format that can be read; the text lists what it does offer.
  case noUsableMode(offered: String)
  case failed(errno: Int32)
}

/// Steps on what came of the last plan, and says what to do next. Times are CLOCK_MONOTONIC in nanoseconds.
struct CameraRecovery {
  struct Constants {
    /// A camera without a frame for this long is said to have stalled.
    static let silence: Int64 = 1_000_000_000
    /// What a camera may take for its first frame: some set up exposure for more than two seconds.
    static let firstFrame: Int64 = 3_000_000_000
    /// How often a camera that is away, busy or failing is tried.
    static let retry: Int64 = 500_000_000
  }

  enum Plan: Equatable {
    /// Report `frame` as soon as there is a good one, `silence` at the time given.
    case await(until: Int64)
    /// Stop and start the stream, then report `started`.
    case restart
    /// Close; at the time given find the camera and open it, then report `started`.
    case reopen(at: Int64)
  }

  enum Report: Equatable {
    case started
    case frame
    case silence
    case failed(CameraFault)
  }

  private(set) var condition = CameraCondition.delivering
  private(set) var plan: Plan
  /// Whether restarting the stream has been tried since the last frame.
  private var hasRestarted = false

  /// For a camera that was opened at `time`.
  init(openedAt time: Int64) {
    plan = .await(until: time + Constants.firstFrame)
  }

  mutating func step(_ report: Report, at time: Int64) {
    switch report {
    case .started:
      plan = .await(until: time + Constants.firstFrame)
    case .frame:
      condition = .delivering
      hasRestarted = false
      plan = .await(until: time + Constants.silence)
    case .silence:
      condition = .stalled
      restartOrReopen(at: time)
    case .failed(let fault):
      condition = CameraCondition(fault)
      if case .failing = condition {
        restartOrReopen(at: time)
      } else {
        plan = .reopen(at: time + Constants.retry)
      }
    }
  }

  /// The gentler way first, once.
  private mutating func restartOrReopen(at time: Int64) {
    plan = hasRestarted ? .reopen(at: time + Constants.retry) : .restart
    hasRestarted = true
  }
}

extension CameraCondition {
  init(_ fault: CameraFault) {
    self =
      switch fault {
      case .gone: .unplugged
      case .busy(let holder): .busy(holder: holder)
      case .denied(let group): .denied(group: group)
      case .failed(let errno): .failing(errno: errno)
      // The same camera came back with other formats: nothing but trying again can be done about it.
      case .noUsableMode: .unplugged
      }
  }
}
