// One line of JSON as the record it holds.
import FoundationEssentials
import Gestures

struct JSONLineParser {
  private let decoder = JSONDecoder()

  /// `nil` for an empty line and for what only a newer writer's readers know.
  func record(in line: ArraySlice<UInt8>) throws(StreamReadError.Cause) -> StreamRecord? {
    guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { return nil }
    return try decode(JSONRecord.self, from: line).record
  }

  func decode<Value: Decodable>(
    _ type: Value.Type, from line: ArraySlice<UInt8>
  ) throws(StreamReadError.Cause) -> Value {
    guard String(validating: line, as: UTF8.self) != nil else { throw .notUTF8 }
    // The decoder would take a line with NUL for UTF-16 or UTF-32.
    guard !line.contains(0) else { throw .malformed }
    do {
      return try decoder.decode(type, from: Data(line))
    } catch let cause as StreamReadError.Cause {
      throw cause
    } catch let error as DecodingError {
      throw StreamReadError.Cause(error)
    } catch {
      throw .malformed
    }
  }
}

extension StreamReadError.Cause {
  fileprivate init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context): self = .missing((context.codingPath + [key]).dotted)
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      self = context.codingPath.isEmpty ? .malformed : .invalid(context.codingPath.dotted)
    @unknown default: self = .malformed
    }
  }
}

extension [any CodingKey] {
  fileprivate var dotted: String { map(\.stringValue).joined(separator: ".") }
}

extension KeyedDecodingContainer {
  /// Throws `StreamReadError.Cause` for a number that is none, or not of the range.
  func number<Number: Decodable>(_ key: Key, in range: ClosedRange<Number>) throws -> Number {
    let name = (codingPath + [key]).dotted
    let number: Number
    do {
      number = try decode(Number.self, forKey: key)
    } catch let error as DecodingError {
      throw error
    } catch {
      // One that the type cannot hold, as 1e400 or 1.5, comes as an error of the decoder's own.
      throw StreamReadError.Cause.invalid(name)
    }
    guard range.contains(number) else { throw StreamReadError.Cause.outOfRange(name) }
    return number
  }
}

/// A record, or `nil` for one of a type or with a value that this version does not know.
private struct JSONRecord: Decodable {
  let record: StreamRecord?

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: StreamKey.self)
    switch try fields.decode(String.self, forKey: .type) {
    case "header": record = .header(try StreamHeader(fields))
    case "frame": record = .frame(try GestureState(fields))
    case "event": record = try TimedEvent(fields).map(StreamRecord.event)
    case "end": record = .end(try StreamEnd(fields))
    default: record = nil
    }
  }
}

private typealias Fields = KeyedDecodingContainer<StreamKey>

private enum StreamKey: String, CodingKey {
  case type, schema, clock, source, models, profile
  case kind, name, width, height, fps, landmarks
  case n, t, face, confidence, roll, yaw, pitch, purse, jawOpen, raw, horizontal
  case event, phase, direction, strength, count, value, reason
  case frames, dropped, events
}

extension StreamHeader {
  fileprivate init(_ fields: Fields) throws {
    let schema = try fields.decode(String.self, forKey: .schema)
    guard schema == Self.schema else { throw StreamReadError.Cause.unsupportedSchema(schema) }
    guard let clock = Clock(rawValue: try fields.decode(String.self, forKey: .clock)) else {
      throw StreamReadError.Cause.invalid("clock")
    }
    let source = try fields.nested(.source)
    let models = try fields.nested(.models)
    self.init(
      clock: clock,
      source: Source(
        kind: Kind(rawValue: try source.decode(String.self, forKey: .kind)),
        name: try source.decode(String.self, forKey: .name),
        width: try source.number(.width, in: StreamLimits.pixels),
        height: try source.number(.height, in: StreamLimits.pixels),
        fps: try source.number(.fps, in: StreamLimits.framesPerSecond)),
      landmarkModel: try models.decodeIfPresent(String.self, forKey: .landmarks),
      profile: try fields.profile())
  }
}

extension GestureState {
  fileprivate init(_ fields: Fields) throws {
    self.init(
      frameIndex: try fields.number(.n, in: StreamLimits.count),
      timestamp: try fields.number(.t, in: StreamLimits.time),
      signals: try fields.decode(Bool.self, forKey: .face) ? Signals(fields) : nil,
      horizontal: try fields.number(.horizontal, in: StreamLimits.steering))
  }
}

extension GestureState.Signals {
  fileprivate init(_ fields: Fields) throws {
    let raw = try fields.nested(.raw)
    self.init(
      confidence: try fields.number(.confidence, in: StreamLimits.score),
      roll: try fields.number(.roll, in: StreamLimits.angle),
      yaw: try fields.number(.yaw, in: StreamLimits.angle),
      pitch: try fields.number(.pitch, in: StreamLimits.angle),
      purse: try fields.number(.purse, in: StreamLimits.score),
      jawOpen: try fields.number(.jawOpen, in: StreamLimits.score),
      rawRoll: try raw.number(.roll, in: StreamLimits.angle),
      rawPurse: try raw.number(.purse, in: StreamLimits.score))
  }
}

extension TimedEvent {
  fileprivate init?(_ fields: Fields) throws {
    guard let event = try InputEvent(fields) else { return nil }
    self.init(
      frameIndex: try fields.number(.n, in: StreamLimits.count),
      timestamp: try fields.number(.t, in: StreamLimits.time),
      event: event)
  }
}

extension InputEvent {
  fileprivate init?(_ fields: Fields) throws {
    switch try fields.decode(String.self, forKey: .event) {
    case "tilt":
      guard let phase = try fields.choice(Phase.self, .phase),
        let direction = try fields.choice(Direction.self, .direction)
      else { return nil }
      self = .tilt(phase, direction)
    case "purse":
      guard let phase = try fields.choice(Phase.self, .phase) else { return nil }
      let hasStrength = fields.contains(.strength)
      self = .purse(phase, strength: hasStrength ? try fields.number(.strength, in: StreamLimits.score) : nil)
    case "jump": self = .jump(count: try fields.number(.count, in: StreamLimits.jumpCount))
    case "horizontal": self = .horizontal(try fields.number(.value, in: StreamLimits.steering))
    case "face":
      guard let presence = try fields.choice(FacePresence.self, .phase) else { return nil }
      self = .face(presence)
    case "release":
      guard let reason = try fields.choice(ReleaseReason.self, .reason) else { return nil }
      self = .release(reason)
    default: return nil
    }
  }
}

extension StreamEnd {
  fileprivate init(_ fields: Fields) throws {
    self.init(
      frames: try fields.number(.frames, in: StreamLimits.count),
      dropped: try fields.number(.dropped, in: StreamLimits.count),
      events: try fields.number(.events, in: StreamLimits.count))
  }
}

extension KeyedDecodingContainer<StreamKey> {
  fileprivate func nested(_ key: StreamKey) throws -> Fields {
    try nestedContainer(keyedBy: StreamKey.self, forKey: key)
  }

  /// Throws `StreamReadError.Cause` beside `DecodingError`.
  fileprivate func profile() throws -> Profile {
    do {
      let profile = try decode(ProfileRecord.self, forKey: .profile).profile
      try profile.validate()
      return profile
    } catch let problem as ProfileProblem {
      throw StreamReadError.Cause.outOfRange("profile.\(problem.setting)")
    } catch let error as ProfileRecord.UnknownVersion {
      throw StreamReadError.Cause.unsupportedSchema("profile version \(error.version)")
    }
  }

  /// `nil` for a name this version does not know.
  fileprivate func choice<Choice: RawRepresentable<String>>(_ type: Choice.Type, _ key: StreamKey) throws -> Choice? {
    Choice(rawValue: try decode(String.self, forKey: key))
  }
}
