// Where a live session's records go: the view on a terminal, plain lines, or the stream.
import Capture
import FacePlayService
import Frames
import GestureStream
import Gestures
import Synchronization

/// Takes the records of a session as they are told.
protocol LiveOutput: Sendable {
  func tell(_ record: StreamRecord)
  /// How the camera is doing, when that changes.
  func tell(_ condition: CameraCondition)
  /// Draws all of it anew, for a terminal that others have written on.
  func redraw()
  /// Throws what kept records from being written.
  func check() throws
  /// Shows the last of it. `latency`: from each frame's time to its events; `nil` where nothing was live.
  func finish(latency: LatencyHistogram?) throws
}

extension LiveOutput {
  func redraw() {}
}

extension RecordWriter: LiveOutput {
  func tell(_ record: StreamRecord) { write(record) }

  /// Beside the stream, whose records say only what was let go.
  func tell(_ condition: CameraCondition) { printError("faceplay: \(condition)") }

  func check() throws { _ = try check() as ClipExport.Summary }

  func finish(latency: LatencyHistogram?) throws { try commit() }
}

/// The view, drawn by a thread of its own so that a slow terminal holds nothing up.
final class TerminalOutput: LiveOutput {
  /// Nanoseconds after which the view is drawn again although nothing came.
  private static let redrawInterval: Int64 = 250_000_000

  private let status = Mutex(LiveStatus())
  private let newest = NewestSlot<LiveStatus>()
  private let isStale = Flag()
  private let thread: WorkerThread

  /// `figures` is asked for at each drawing; how long no frame has come is added to them.
  init(_ figures: @escaping @Sendable () -> LiveFigures) {
    thread = WorkerThread("view") { [newest, isStale] in
      var screen = TerminalScreen()
      var shown = LiveStatus()
      var lastFrame: Int64?
      while true {
        switch newest.take(until: MonotonicClock.now + Self.redrawInterval) {
        case .value(let status):
          if status.frames > shown.frames { lastFrame = MonotonicClock.now }
          shown = status
        case .timedOut: break
        case .closed: return
        }
        var figures = figures()
        figures.silence = lastFrame.map { Double(MonotonicClock.now - $0) / 1e9 }
        if isStale.lower() { screen.begin() }
        screen.draw { LiveView.lines(shown, figures, width: $0.columns) }
      }
    }
  }

  func tell(_ record: StreamRecord) { show { $0.add(record) } }

  func tell(_ condition: CameraCondition) { show { $0.add(condition) } }

  private func show(_ change: (inout LiveStatus) -> Void) {
    let latest = status.withLock { status in
      change(&status)
      return status
    }
    newest.put(latest)
  }

  func redraw() { isStale.raise() }

  func check() {}

  func finish(latency: LatencyHistogram?) {
    newest.close()
    thread.join()
  }
}

/// One line an event, and one each second.
final class PlainOutput: LiveOutput {
  fileprivate struct State {
    var status = LiveStatus()
    var nextReport: Int64 = 0
    var failure: StreamWriteError?
    let output: OutputFile
  }

  fileprivate static let reportInterval: Int64 = 1_000_000_000
  private let state: Mutex<State>

  init() throws {
    state = Mutex(State(output: try OutputFile(path: "-", cancellation: Interruption.cancellation)))
  }

  func tell(_ record: StreamRecord) {
    state.withLock { state in
      state.status.add(record)
      state.write(state.lines(for: record))
    }
  }

  func tell(_ condition: CameraCondition) { state.withLock { $0.write(["\(condition)"]) } }

  func check() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  func finish(latency: LatencyHistogram?) throws {
    if let latency, let p50 = latency.p50, let p95 = latency.p95 {
      let (half, most) = (number(Double(p50) / 1e6, 1), number(Double(p95) / 1e6, 1))
      state.withLock { $0.write(["frame to events: 50 % within \(half) ms, 95 % within \(most) ms"]) }
    }
    try check()
    try state.withLock { try $0.output.commit() }
  }
}

extension PlainOutput.State {
  fileprivate mutating func write(_ lines: [String]) {
    guard failure == nil else { return }
    do {
      for line in lines { try output.write(Array((line + "\n").utf8)) }
      try output.flush()
    } catch {
      failure = error
    }
  }

  fileprivate mutating func lines(for record: StreamRecord) -> [String] {
    switch record {
    case .event(let event):
      if case .horizontal = event.event { return [] }
      return [EventText.line(event)]
    case .frame(let frame) where frame.timestamp >= nextReport:
      nextReport = (frame.timestamp / PlainOutput.reportInterval + 1) * PlainOutput.reportInterval
      guard let signals = frame.signals else { return ["\(EventText.seconds(frame.timestamp))  no face"] }
      return [
        "\(EventText.seconds(frame.timestamp))  roll \(number(signals.roll, 1))° purse \(number(signals.purse, 2)) "
          + "move \(number(frame.horizontal, 2)) \(number(status.frameRate, 1)) fps"
      ]
    case .frame, .header: return []
    case .end(let end):
      return [
        "\(counted(end.frames, "frame")), \(end.dropped) dropped, \(counted(end.events, "event")), "
          + "\(counted(status.jumps, "jump"))"
      ]
    }
  }
}
