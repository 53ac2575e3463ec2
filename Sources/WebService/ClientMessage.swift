// What a page asks of the service; docs/protocol.md has the texts.
import FoundationEssentials

/// One message from a page, its numbers and names within their limits.
public enum ClientMessage: Sendable, Equatable {
  public enum GameAction: Sendable, Equatable {
    /// `level` is the level's name.
    case start(level: String)
    case pause, resume, respawn, quit
  }

  public enum CalibrationAction: Sendable, Equatable {
    /// `language`: of the prompts, ko or en.
    case start(language: String)
    case cancel
  }

  /// Access units are wanted, or no longer.
  case video(on: Bool)
  /// Landmarks of each frame are wanted, or no longer.
  case landmarks(on: Bool)
  /// Makes this page the one that controls.
  case takeControl
  case getSettings
  /// Only what is there changes.
  case setSettings(PageSettings)
  case calibration(CalibrationAction)
  case game(GameAction)
  /// Steering by keyboard, −1…1 to the player's left and right. A lease: the page says it again at least every 100 ms
  /// while the key is down.
  case steer(Double)
  /// A jump by keyboard.
  case jump
  case record(on: Bool)
  case snap

  /// Only the page that controls may ask this; all else any page may.
  public var needsControl: Bool {
    switch self {
    case .video, .landmarks, .takeControl, .getSettings: false
    case .setSettings, .calibration, .game, .steer, .jump, .record, .snap: true
    }
  }
}

extension ClientMessage: Decodable {
  private enum Key: String, CodingKey {
    case type, on, settings, action, level, language, value
  }

  /// Throws `DecodingError` or `MessageProblem`.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    switch try fields.decode(String.self, forKey: .type) {
    case "video": self = .video(on: try fields.decode(Bool.self, forKey: .on))
    case "landmarks": self = .landmarks(on: try fields.decode(Bool.self, forKey: .on))
    case "control": self = .takeControl
    case "getSettings": self = .getSettings
    case "setSettings": self = .setSettings(try fields.decode(PageSettings.self, forKey: .settings).checked())
    case "calibration": self = .calibration(try Self.calibrationAction(fields))
    case "game": self = .game(try Self.gameAction(fields))
    case "steer": self = .steer(try fields.decode(Double.self, forKey: .value).checked("value", in: -1...1))
    case "jump": self = .jump
    case "record": self = .record(on: try fields.decode(Bool.self, forKey: .on))
    case "snap": self = .snap
    default: throw MessageProblem(field: "type", rule: "one of those in docs/protocol.md")
    }
  }

  private static func calibrationAction(_ fields: KeyedDecodingContainer<Key>) throws -> CalibrationAction {
    switch try fields.decode(String.self, forKey: .action) {
    case "start": .start(language: try fields.decodeIfPresent(String.self, forKey: .language) ?? "en")
    case "cancel": .cancel
    default: throw MessageProblem(field: "action", rule: "start or cancel")
    }
  }

  private static func gameAction(_ fields: KeyedDecodingContainer<Key>) throws -> GameAction {
    switch try fields.decode(String.self, forKey: .action) {
    case "start": .start(level: try fields.decode(String.self, forKey: .level).checkedName("level"))
    case "pause": .pause
    case "resume": .resume
    case "respawn": .respawn
    case "quit": .quit
    default: throw MessageProblem(field: "action", rule: "start, pause, resume, respawn or quit")
    }
  }

  /// Reads a text message. Throws what is wrong with it, for the page's author.
  init(text: String) throws(MessageProblem) {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    } catch let problem as MessageProblem {
      throw problem
    } catch DecodingError.keyNotFound(let key, _) {
      throw MessageProblem(field: key.stringValue, rule: "there")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
      throw MessageProblem(field: context.codingPath.last?.stringValue ?? "message", rule: "of the documented type")
    } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
      throw MessageProblem(field: context.codingPath.last!.stringValue, rule: "of the documented type")
    } catch {
      throw MessageProblem(field: "message", rule: "a JSON object")
    }
  }
}

/// What is wrong with a page's message.
struct MessageProblem: Error, Equatable, CustomStringConvertible {
  let field: String
  let rule: String

  var description: String { "\(field) must be \(rule)" }
}

extension Double {
  /// JSON has no other numbers than finite ones; the range keeps out the rest.
  func checked(_ field: String, in range: ClosedRange<Double>) throws(MessageProblem) -> Double {
    guard range.contains(self) else {
      throw MessageProblem(field: field, rule: "from \(range.lowerBound) to \(range.upperBound)")
    }
    return self
  }
}

extension String {
  /// Of people: something to see, and nothing that is not seen but changes what is (controls, bidirectional overrides,
  /// fillers). Emoji are joined by what is not seen otherwise.
  func checkedNickname() throws(MessageProblem) -> String {
    let joiners: ClosedRange<Unicode.Scalar> = "\u{200C}"..."\u{200D}"
    let isPlain = unicodeScalars.allSatisfy { scalar in
      let kind = scalar.properties.generalCategory
      return joiners.contains(scalar) || kind == .nonspacingMark
        || ![.control, .lineSeparator, .paragraphSeparator, .format, .privateUse, .unassigned].contains(kind)
          && !scalar.properties.isDefaultIgnorableCodePoint
    }
    let isSeen = contains { !$0.isWhitespace && !($0.unicodeScalars.allSatisfy { joiners.contains($0) }) }
    guard isPlain, isSeen, (1...24).contains(count), utf8.count <= 256 else {
      throw MessageProblem(field: "nickname", rule: "1 to 24 characters that can be seen")
    }
    return self
  }

  /// Names of levels: they may end up in paths.
  func checkedName(_ field: String) throws(MessageProblem) -> String {
    let isName = utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard isName, (1...32).contains(utf8.count) else {
      throw MessageProblem(field: field, rule: "1 to 32 of a–z, 0–9 and -")
    }
    return self
  }
}
