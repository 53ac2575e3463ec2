// A level: a ladder of platforms and what chases up it, read from JSON.
import FoundationEssentials
import GameEngine

/// The files are `levels/NAME.json`. Lengths are points: a player is 48 high, a single jump 170, a double jump 320.
public struct Level: Sendable, Equatable, Codable {
  public struct Constants {
    public static let schema = "faceplay-level/1"
    /// What a file may hold; far beyond any ladder that can be played.
    static let platforms = 2...500
    static let greatestNumber = 1e5
    /// The highest that a double jump gets, less 30 points: a gap beyond it cannot be climbed by people.
    static let highestGap = 290.0
  }

  /// The levels that come with the program, easiest first; a further one is one more name.
  public static let names = ["gentle", "orbit", "nebula", "comet"]

  public struct Rung: Sendable, Equatable, Codable {
    /// The platform's middle; 0 is the ladder's.
    public let x: Double
    public let top: Double
    public let width: Double
  }

  public let schema: String
  /// As in `--level NAME`.
  public let name: String
  /// As players read it.
  public let title: String
  /// How hard it is, in words: by language, ko and en.
  public let about: [String: String]?
  /// From the middle to each wall.
  public let halfWidth: Double
  /// Seconds; `nil` where players have all the time they want.
  public let timeLimit: Double?
  /// Points a second at which the monster rises.
  public let monsterSpeed: Double
  /// From the start to the goal, each higher than the one before.
  public let platforms: [Rung]

  public var goal: Int { platforms.count - 1 }

  /// Throws `LevelProblem`.
  public init(json: Data) throws(LevelProblem) {
    do {
      self = try JSONDecoder().decode(Level.self, from: json)
    } catch {
      throw .notALevel
    }
    try validate()
  }

  /// Of everything that the game depends on; title and words are free to change.
  public var contentHash: UInt64 {
    var hash = StateHash()
    hash.combine(name)
    for number in [halfWidth, timeLimit ?? -1, monsterSpeed] { hash.combine(number) }
    for rung in platforms { for number in [rung.x, rung.top, rung.width] { hash.combine(number) } }
    return hash.value
  }

  private func validate() throws(LevelProblem) {
    guard schema == Constants.schema else { throw .otherSchema(schema) }
    guard Constants.platforms.contains(platforms.count) else { throw .outOfRange("platforms") }
    let positive = [("halfWidth", halfWidth), ("monsterSpeed", monsterSpeed), ("timeLimit", timeLimit ?? 1)]
    for (name, value) in positive + platforms.map({ ("width", $0.width) }) {
      guard value > 0, value <= Constants.greatestNumber else { throw .outOfRange(name) }
    }
    guard halfWidth > Game.Constants.playerWidth else { throw .outOfRange("halfWidth") }
    for (index, rung) in platforms.enumerated() {
      guard abs(rung.x) < halfWidth else { throw .outOfRange("x") }
      guard abs(rung.top) <= Constants.greatestNumber else { throw .outOfRange("top") }
      guard index > 0 else { continue }
      let gap = rung.top - platforms[index - 1].top
      guard gap > 0, gap <= Constants.highestGap else { throw .cannotBeClimbed(platform: index) }
    }
  }
}

/// Why a file is no level.
public enum LevelProblem: Error, Sendable, Equatable, CustomStringConvertible {
  case notALevel
  case otherSchema(String)
  case outOfRange(String)
  case cannotBeClimbed(platform: Int)

  public var description: String {
    switch self {
    case .notALevel: "it is no level: not JSON, or something is missing; start from a copy of levels/gentle.json"
    case .otherSchema(let schema): "it is written as \"\(schema)\", not \"\(Level.Constants.schema)\""
    case .outOfRange(let name): "\"\(name)\" is out of its range"
    case .cannotBeClimbed(let platform):
      "platform \(platform) is not above the one before it, or more than \(Int(Level.Constants.highestGap)) points above"
    }
  }
}
