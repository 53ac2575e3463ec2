// The live view as lines of text: pure, for any width.
import FacePlayService
import GestureStream
import Gestures

/// What the view shows beside the status.
struct LiveFigures: Sendable {
  var title: String
  var profile: Profile
  /// Milliseconds from frame to events, median and 95th percentile; `nil` where nothing is live.
  var latency: (p50: Double, p95: Double)?
  var dropped: Int
  /// Seconds since the last frame; `nil` before the first.
  var silence: Double?
  /// What keys change; `nil` where there are none.
  var controls: LiveControls?
}

extension LiveFigures {
  static func title(_ source: StreamHeader.Source, _ profile: Profile) -> String {
    "faceplay · \(source.name) \(source.width)×\(source.height) · sensitivity \(profile.name) · Ctrl-C ends"
  }
}

struct LiveView {
  /// Seconds without a frame after which the view says so.
  static let frozenAfter = 1.0
  private static let meterWidth = 31

  /// At most `width` columns a line.
  static func lines(_ status: LiveStatus, _ figures: LiveFigures, width: Int) -> [String] {
    let lines =
      [figures.title, "", face(status, figures)] + signals(status, figures.profile) + [
        jumps(status), "", rates(status, figures), "",
      ]
      + (figures.controls.map { $0.lines(width: width) + [""] } ?? [])
      + status.recent.map { "  " + EventText.line($0) }
    // A source's name may hold anything, control sequences too.
    return lines.map { $0.cut(to: max(width - 1, 1)) }
  }

  private static func face(_ status: LiveStatus, _ figures: LiveFigures) -> String {
    if figures.controls?.isPaused == true { return "face    ‖ paused: everything is released" }
    if let trouble = status.trouble { return "face    \(trouble)" }
    if let silence = figures.silence, silence >= frozenAfter {
      return "face    no frame for \(Int(silence)) s: the source has stalled; everything is released"
    }
    guard let state = status.state else { return "face    waiting for the first frame" }
    guard let signals = state.signals else {
      return status.isFacePresent ? "face    ○ out of sight" : "face    ○ not found: look at the camera, in the light"
    }
    return "face    ● found, confidence \(number(signals.confidence, 2))"
  }

  private static func signals(_ status: LiveStatus, _ profile: Profile) -> [String] {
    let signals = status.state?.signals
    let horizontal = status.state?.horizontal ?? 0
    let side = status.tilt.map { $0 == .left ? "◀ left" : "right ▶" } ?? ""
    return [
      "roll    \(rollMeter(signals?.roll, profile.effectiveTilt)) \(signed(signals?.roll, 1))°  \(side)",
      "purse   \(purseMeter(signals?.purse, profile.effectivePurse)) \(signed(signals?.purse, 2))   \(status.isPursing ? "● pursed" : "")",
      "move    \(signed(horizontal, 2))",
    ]
  }

  /// Centre, both dead zone edges, and a bar from the centre to where the head is; full width is full speed.
  static func rollMeter(_ roll: Double?, _ tilt: TiltSettings) -> String {
    let half = meterWidth / 2
    func column(_ degrees: Double) -> Int {
      let share = degrees / (degrees < 0 ? tilt.left.full : tilt.right.full)
      return half + Int((min(max(share, -1), 1) * Double(half)).rounded())
    }
    var cells = [Character](repeating: "·", count: meterWidth)
    for edge in [-tilt.left.begin, 0, tilt.right.begin] { cells[column(edge)] = "|" }
    if let roll {
      let end = column(roll)
      for cell in min(half, end)...max(half, end) { cells[cell] = "█" }
    }
    return "[" + String(cells) + "]"
  }

  /// A bar from 0 to the score, with the onset and the release marked.
  static func purseMeter(_ score: Double?, _ purse: PurseSettings) -> String {
    func column(_ score: Double) -> Int { Int((min(max(score, 0), 1) * Double(meterWidth - 1)).rounded()) }
    var cells = [Character](repeating: "·", count: meterWidth)
    for edge in [purse.end, purse.begin] { cells[column(edge)] = "|" }
    if let score, column(score) > 0 { for cell in 0..<column(score) { cells[cell] = "█" } }
    return "[" + String(cells) + "]"
  }

  private static func jumps(_ status: LiveStatus) -> String {
    guard let jump = status.lastJump, case .jump(let count) = jump.event else { return "jumps   0" }
    return
      "jumps   \(status.jumps), the last at \(EventText.seconds(jump.timestamp)): \(count == 1 ? "jump" : "double jump")"
  }

  private static func rates(_ status: LiveStatus, _ figures: LiveFigures) -> String {
    var parts = ["\(number(status.frameRate, 1)) fps"]
    if let latency = figures.latency {
      parts.append("latency \(number(latency.p50, 1)) ms, 95 % within \(number(latency.p95, 1)) ms")
    }
    parts.append("\(figures.dropped) dropped")
    parts.append(EventText.seconds(status.state?.timestamp ?? 0))
    if status.frameRate > 0 && status.frameRate < LiveStatus.Constants.slowestRate {
      parts.append("too slow to hold input: more light or a faster camera mode helps")
    }
    return parts.joined(separator: " · ")
  }

  static func signed(_ value: Double?, _ digits: Int) -> String {
    guard let value else { return "–" }
    return (value < 0 ? "−" : "+") + number(abs(value), digits)
  }
}

/// Events as a player reads them.
enum EventText {
  static func line(_ event: TimedEvent) -> String { "\(seconds(event.timestamp))  \(words(event.event))" }

  static func seconds(_ nanoseconds: Int64) -> String { number(Double(nanoseconds) / 1e9, 2) + " s" }

  static func words(_ event: InputEvent) -> String {
    switch event {
    case .tilt(.begin, let direction): "tilt \(direction.rawValue)"
    case .tilt(.end, let direction): "tilt \(direction.rawValue) ends"
    case .purse(.begin, _): "purse"
    case .purse(.end, _): "purse ends"
    case .jump(let count): count == 1 ? "jump" : "double jump"
    case .horizontal(let value): "move \(number(value, 2))"
    case .face(let presence): "face \(presence.rawValue)"
    case .release(let reason): "everything released (\(reason.rawValue))"
    }
  }
}
