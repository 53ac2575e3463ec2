// Gesture streams as CSV, the parts that writing and reading share: columns, and events as tokens.
//
// RFC 4180: a header row, then one row a frame, each ended by CRLF; no field needs quotes. The columns are the JSON
// frame's keys in their order, nested ones as `raw.roll`, with `t` in seconds, and the signals empty without a face.
// Then comes `event`: the tokens of the events between this frame's record and the next in the stream, separated by
// `;`. Events before the first frame stand in the first row. Steering has a column, so its events have no token.
// CSV has no place for the header, the end, a purse's strength and an event's own time.
import Gestures

enum CSVFormat {
  static let columns = [
    "n", "t", "face", "confidence", "roll", "yaw", "pitch", "purse", "jawOpen", "raw.roll", "raw.purse", "horizontal",
    "event",
  ]
  /// Decimals of `t`: nanoseconds.
  static let secondsDecimals = 9
  static let nanosecondsPerSecond: Int64 = 1_000_000_000
}

extension InputEvent {
  /// `nil` for steering.
  var token: String? {
    switch self {
    case .tilt(let phase, let direction): "tilt-\(phase.rawValue)-\(direction.rawValue)"
    case .purse(let phase, _): "purse-\(phase.rawValue)"
    case .jump(let count): "jump-\(count.held(in: StreamLimits.jumpCount))"
    case .horizontal: nil
    case .face(let presence): "face-\(presence.rawValue)"
    case .release(let reason): "release-\(reason.rawValue)"
    }
  }

  /// `nil` for a token this version does not know.
  init?(token: Substring) {
    let parts = token.split(separator: "-", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "tilt":
      let words = parts[1].split(separator: "-", maxSplits: 1).map(String.init)
      guard words.count == 2, let phase = Phase(rawValue: words[0]), let direction = Direction(rawValue: words[1])
      else { return nil }
      self = .tilt(phase, direction)
    case "purse":
      guard let phase = Phase(rawValue: parts[1]) else { return nil }
      self = .purse(phase, strength: nil)
    case "jump":
      guard let count = StreamLimits.jumpCount.first(where: { String($0) == parts[1] }) else { return nil }
      self = .jump(count: count)
    case "face":
      guard let presence = FacePresence(rawValue: parts[1]) else { return nil }
      self = .face(presence)
    case "release":
      guard let reason = ReleaseReason(rawValue: parts[1]) else { return nil }
      self = .release(reason)
    default: return nil
    }
  }
}
