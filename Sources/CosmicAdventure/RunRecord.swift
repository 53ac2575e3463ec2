// A run on file: what the players did, tick by tick, and the state's hash that proves a replay.
import FoundationEssentials
import GameEngine
import Gestures

/// One JSON object. It holds no pictures and no faces.
public struct RunRecord: Sendable, Equatable, Codable {
  public struct Constants {
    static let schema = "faceplay-run/1"
    /// Bytes; the longest run with 60 events a second needs two thirds of it.
    public static let fileSize = 1 << 24
  }

  let schema: String
  /// `Game.Constants.version` of the program that played it.
  let game: Int
  public let level: String
  let levelHash: String
  let players: Int
  public let inputs: [RunInput]
  public let ticks: Int
  /// Of all ticks' states, 16 hexadecimal digits.
  public let hash: String
  /// Of a run with a video: times on the video's clock, from its first picture on.
  public private(set) var video: [RunClock.Mark]?

  /// The run as it was played beside a video whose first picture is of `start`, on the same clock as `clock`.
  public func timed(by clock: RunClock, from start: Int64) -> RunRecord {
    var timed = self
    timed.video = clock.marks(from: start)
    return timed
  }

  public var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Nothing in it can fail to be encoded: numbers are finite by the recognisers' contract.
    return Array(try! encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  /// Reads and checks a record, all but its hash. Throws `RunProblem`.
  public init(json: [UInt8]) throws(RunProblem) {
    guard json.count <= Constants.fileSize else { throw .damaged }
    let decoder = JSONDecoder()
    guard let header = try? decoder.decode(Header.self, from: Data(json)) else { throw .notARun }
    guard header.schema == Constants.schema else { throw .otherSchema(String(header.schema.prefix(40))) }
    guard let record = try? decoder.decode(RunRecord.self, from: Data(json)) else { throw .damaged }
    guard record.game == Game.Constants.version else { throw .otherGame(version: record.game) }
    guard record.isSound else { throw .damaged }
    self = record
  }

  init(
    schema: String, game: Int, level: String, levelHash: String, players: Int, inputs: [RunInput], ticks: Int,
    hash: String
  ) {
    self.schema = schema
    self.game = game
    self.level = level
    self.levelHash = levelHash
    self.players = players
    self.inputs = inputs
    self.ticks = ticks
    self.hash = hash
  }

  private struct Header: Decodable {
    let schema: String
  }

  private var isSound: Bool {
    guard (1...2).contains(players), (0...Game.Constants.longestRun).contains(ticks) else { return false }
    let ordered = zip(inputs, inputs.dropFirst()).allSatisfy { $0.tick <= $1.tick }
    let marks = video ?? []
    return ordered
      && zip(marks, marks.dropFirst()).allSatisfy { $0.tick <= $1.tick && $0.time < $1.time }
      && marks.allSatisfy { (0...ticks).contains($0.tick) }
      && inputs.allSatisfy { input in
        (0...ticks).contains(input.tick) && (0..<players).contains(input.player) && input.action.isSound
      }
  }
}

/// Something that a player did, heard before the tick of this number.
public struct RunInput: Sendable, Equatable, Codable {
  public let tick: Int
  public let player: Int
  public let action: Action

  /// Of input events those that a game heeds.
  public enum Action: Sendable, Equatable {
    case steer(Double)
    case purse
    case relax
    /// Everything is let go.
    case release
    /// Back to the safe platform, by a button.
    case respawn
    case quit
  }
}

/// As flat as the gesture stream's records: `{"action":"steer","player":0,"tick":12,"value":0.5}`.
extension RunInput {
  private enum CodingKeys: String, CodingKey {
    case tick, player, action, value
  }

  private enum Name: String, Codable {
    case steer, purse, relax, release, respawn, quit
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    tick = try container.decode(Int.self, forKey: .tick)
    player = try container.decode(Int.self, forKey: .player)
    action =
      switch try container.decode(Name.self, forKey: .action) {
      case .steer: .steer(try container.decode(Double.self, forKey: .value))
      case .purse: .purse
      case .relax: .relax
      case .release: .release
      case .respawn: .respawn
      case .quit: .quit
      }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(tick, forKey: .tick)
    try container.encode(player, forKey: .player)
    let name: Name =
      switch action {
      case .steer: .steer
      case .purse: .purse
      case .relax: .relax
      case .release: .release
      case .respawn: .respawn
      case .quit: .quit
      }
    try container.encode(name, forKey: .action)
    if case .steer(let value) = action { try container.encode(value, forKey: .value) }
  }
}

extension RunInput.Action {
  /// `nil` for what a game does not heed.
  init?(_ event: InputEvent) {
    switch event {
    case .horizontal(let value): self = .steer(value)
    case .purse(.begin, _): self = .purse
    case .purse(.end, _): self = .relax
    case .release, .face(.lost): self = .release
    case .tilt, .jump, .face(.found): return nil
    }
  }

  /// `nil` for what no gesture does.
  var event: InputEvent? {
    switch self {
    case .steer(let value): .horizontal(value)
    case .purse: .purse(.begin, strength: nil)
    case .relax: .purse(.end, strength: nil)
    case .release: .face(.lost)
    case .respawn, .quit: nil
    }
  }

  fileprivate var isSound: Bool {
    guard case .steer(let value) = self else { return true }
    return (-1...1).contains(value)
  }
}

/// Why a run cannot be replayed.
public enum RunProblem: Error, Sendable, Equatable, CustomStringConvertible {
  case notARun
  /// A video without a run in it.
  case noRun
  case otherSchema(String)
  case otherGame(version: Int)
  case damaged
  case otherLevel(String)
  case otherEnd

  public var description: String {
    switch self {
    case .notARun: "it is no recorded run"
    case .noRun:
      "it is a video that holds no whole run: the recording was cut short before the run's end, "
        + "or it is no recording of a run"
    case .otherSchema(let schema): "it is written as \"\(schema)\", which this version of faceplay cannot read"
    case .otherGame(let version):
      "it was played with version \(version) of the game, this is version \(Game.Constants.version); "
        + "replay it with the faceplay that recorded it"
    case .damaged: "it is damaged"
    case .otherLevel(let name): "the level \"\(name)\" is not the one it was played on"
    case .otherEnd: "it does not end where it ended when it was played: it is damaged or was altered"
    }
  }
}
