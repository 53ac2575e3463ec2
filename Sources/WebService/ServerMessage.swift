// What the service tells its pages; docs/protocol.md has the texts.
import FoundationEssentials

/// Messages with a key are states: while a page is slow, the newest of each key waits for it and older ones are gone.
/// Messages without are told one by one.
public enum StateKey: UInt32, Sendable, CaseIterable {
  case control = 1
  case frame, world, level, levels, calibration, settings, video, status, landmarks
}

/// One message to a page, but for the records of gesture streams, which are sent as they are (`PageServer.broadcast`).
public enum ServerMessage: Sendable, Equatable {
  /// The first that a page gets. `controls`: this page does; `pages` are connected. `key`: to find the next run by.
  case hello(controls: Bool, pages: Int, key: AccessKey)
  /// Control has passed, or pages have come or gone.
  case control(controls: Bool, pages: Int)
  case settings(PageSettings)
  case calibration(CalibrationState)
  /// The pictures to come, sent before the first of them; their heads bear the same `stream`.
  case video(VideoFormat, stream: UInt16)
  case status(ServiceStatus)
  case levels([LevelSummary])
  /// A recording or picture is on disk, under this name.
  case saved(name: String)
  /// A page's message could not be followed; `message` is for people.
  case error(ErrorCode, message: String)

  public enum ErrorCode: String, Sendable, Encodable {
    /// Not as docs/protocol.md says.
    case invalidMessage
    /// Only the page that controls may ask this.
    case notInControl
    /// Understood, but it cannot be done now.
    case refused
    /// Something broke on the service's side.
    case failed
  }

  /// Raised when pages of an older service would misunderstand.
  public static let version = 1

  var key: StateKey? {
    switch self {
    case .control: .control
    case .settings: .settings
    case .calibration: .calibration
    case .video: .video
    case .status: .status
    case .levels: .levels
    case .hello, .saved, .error: nil
    }
  }
}

/// The guided calibration as the page shows it.
public struct CalibrationState: Sendable, Equatable, Encodable {
  public enum Phase: String, Sendable, Encodable {
    /// None is under way.
    case idle
    case preparing, recording
    /// A profile has been saved.
    case done
    case refused
  }

  public var phase: Phase
  /// What is to be done, by name, as in `calibration/script.json`.
  public var activity: String?
  /// In the player's language.
  public var title: String?
  public var prompt: String?
  public var countdown: String?
  /// Why it does not advance.
  public var hint: String?
  /// Of the whole, 0…1.
  public var progress = 0.0
  /// How it ended, in words.
  public var lines: [String] = []

  public init(_ phase: Phase) { self.phase = phase }
}

/// A level that can be played.
public struct LevelSummary: Sendable, Equatable, Encodable {
  public let name, title: String
  /// How hard it is, in words: by language, ko and en.
  public let about: [String: String]?
  /// Seconds; `nil` where there is no limit.
  public let timeLimit: Double?
  /// Seconds of the player's fastest run.
  public let best: Double?

  public init(name: String, title: String, about: [String: String]?, timeLimit: Double?, best: Double?) {
    self.name = name
    self.title = title
    self.about = about
    self.timeLimit = timeLimit
    self.best = best
  }
}

/// What a page needs to set up its decoder.
public struct VideoFormat: Sendable, Equatable, Encodable {
  /// As WebCodecs takes it, such as `avc1.42E01F`.
  public var codec: String
  /// Pixels.
  public var width: Int
  public var height: Int

  public init(codec: String, width: Int, height: Int) {
    self.codec = codec
    self.width = width
    self.height = height
  }
}

/// How the service is doing, for the status view.
public struct ServiceStatus: Sendable, Equatable, Encodable {
  private enum CodingKeys: String, CodingKey {
    case source, rate, latency, isRecording, trouble
    case isDemo = "demo"
  }

  /// The camera or clip.
  public var source: String
  /// Frames a second.
  public var rate: Double
  /// Milliseconds from frame to events that 95 of 100 frames do not exceed.
  public var latency: Double
  /// No camera was there: a clip of the program's own stands in.
  public var isDemo: Bool
  public var isRecording: Bool
  /// What keeps it from working, for people; `nil` while it works.
  public var trouble: String?

  public init(
    source: String, rate: Double, latency: Double, isDemo: Bool = false, isRecording: Bool, trouble: String? = nil
  ) {
    self.source = source
    self.rate = rate
    self.latency = latency
    self.isDemo = isDemo
    self.isRecording = isRecording
    self.trouble = trouble
  }
}

extension ServerMessage: Encodable {
  private enum Key: String, CodingKey {
    case type, version, controls, pages, key, settings, calibration, video, stream, status, levels, name, code, message
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    switch self {
    case .hello(let controls, let pages, let key):
      try fields.encode("hello", forKey: .type)
      try fields.encode(Self.version, forKey: .version)
      try fields.encode(controls, forKey: .controls)
      try fields.encode(pages, forKey: .pages)
      try fields.encode(hexadecimal(key.bytes), forKey: .key)
    case .control(let controls, let pages):
      try fields.encode("control", forKey: .type)
      try fields.encode(controls, forKey: .controls)
      try fields.encode(pages, forKey: .pages)
    case .settings(let settings):
      try fields.encode("settings", forKey: .type)
      try fields.encode(settings, forKey: .settings)
    case .calibration(let state):
      try fields.encode("calibration", forKey: .type)
      try fields.encode(state, forKey: .calibration)
    case .video(let format, let stream):
      try fields.encode("video", forKey: .type)
      try fields.encode(stream, forKey: .stream)
      try fields.encode(format, forKey: .video)
    case .status(let status):
      try fields.encode("status", forKey: .type)
      try fields.encode(status, forKey: .status)
    case .levels(let levels):
      try fields.encode("levels", forKey: .type)
      try fields.encode(levels, forKey: .levels)
    case .saved(let name):
      try fields.encode("saved", forKey: .type)
      try fields.encode(name, forKey: .name)
    case .error(let code, let message):
      try fields.encode("error", forKey: .type)
      try fields.encode(code, forKey: .code)
      try fields.encode(message, forKey: .message)
    }
  }

  /// As it is sent. A number that JSON cannot hold becomes a text that JavaScript's `Number` reads.
  var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    guard let data = try? encoder.encode(self) else { preconditionFailure("no other value can fail") }
    return Array(data)
  }

  /// The level that is being played, whose JSON the game makes: `{"type":"level","level":…}`.
  public static func level(_ json: [UInt8]) -> [UInt8] { Array(#"{"type":"level","level":"#.utf8) + json + [0x7d] }

  /// A snapshot of the game's world, whose JSON the game makes: `{"type":"world","world":…}`.
  public static func world(_ json: [UInt8]) -> [UInt8] { Array(#"{"type":"world","world":"#.utf8) + json + [0x7d] }
}
