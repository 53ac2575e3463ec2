// What a live view shows: a summary of the records so far.
import Capture
import Frames
import GestureStream
import Gestures

/// A pure summary, stepped by records in order.
public struct LiveStatus: Sendable {
  public struct Constants {
    /// Nanoseconds over which the frame rate is counted.
    static let rateWindow: Int64 = 1_000_000_000
    /// How many of the latest events are kept for showing.
    public static let recentEvents = 6
    /// Frames a second below which held input can lapse between frames: leases last 180 ms at most.
    public static let slowestRate = 10.0
  }

  /// The latest frame.
  public private(set) var state: GestureState?
  private var held = HeldInput()
  public private(set) var jumps = 0
  public private(set) var lastJump: TimedEvent?
  /// The latest events that a viewer wants to read: all but steering, newest last.
  public private(set) var recent: [TimedEvent] = []
  public private(set) var frames = 0
  /// What keeps the camera from delivering; `nil` while nothing does.
  public private(set) var trouble: CameraCondition?
  private var frameTimes: [Int64] = []

  public init() {}

  public var isFacePresent: Bool { held.isFacePresent }
  public var tilt: Direction? { held.tilt }
  public var isPursing: Bool { held.isPursing }

  public mutating func add(_ record: StreamRecord) {
    switch record {
    case .frame(let frame):
      state = frame
      frames += 1
      frameTimes.append(frame.timestamp)
      frameTimes.removeFirst(frameTimes.firstIndex { frame.timestamp - $0 <= Constants.rateWindow } ?? 0)
    case .event(let event):
      add(event)
    case .header, .end:
      break
    }
  }

  public mutating func add(_ condition: CameraCondition) {
    trouble = condition == .delivering ? nil : condition
  }

  /// Frames a second over the last second of frames; 0 before the second frame.
  public var frameRate: Double {
    guard let first = frameTimes.first, let last = frameTimes.last, last > first else { return 0 }
    return Double(frameTimes.count - 1) / (Double(last - first) / 1e9)
  }

  private mutating func add(_ event: TimedEvent) {
    held.add(event.event)
    switch event.event {
    case .horizontal: return
    case .jump:
      jumps += 1
      lastJump = event
    case .face, .tilt, .purse, .release: break
    }
    if recent.count == Constants.recentEvents { recent.removeFirst() }
    recent.append(event)
  }
}
