// Levels as files.
import CosmicAdventure
import Foundation
import Testing

@Suite("Levels")
struct LevelTests {
  @Test("The levels that come with the program are sound", arguments: Level.names)
  func bundled(name: String) throws {
    let level = try Level.named(name)
    #expect(level.name == name && level.platforms.count > 5)
    #expect((level.timeLimit == nil) == (name == "gentle"))
  }

  @Test("They grow harder: narrower platforms, a faster monster, more to climb")
  func difficulty() throws {
    let levels = try Level.names.map { try Level.named($0) }
    for (easier, harder) in zip(levels, levels.dropFirst()) {
      #expect(harder.monsterSpeed > easier.monsterSpeed)
      #expect(harder.platforms.map(\.width).min()! < easier.platforms.map(\.width).min()!)
      #expect(harder.platforms.last!.top > easier.platforms.last!.top)
    }
  }

  @Test("What is no level, or none that can be climbed, is refused with the reason")
  func refused() throws {
    #expect(throws: LevelProblem.notALevel) { try Level(json: Data("{}".utf8)) }
    #expect(throws: LevelProblem.cannotBeClimbed(platform: 1)) { try Level.of([(0, 0, 100), (0, 400, 100)]) }
    #expect(throws: LevelProblem.cannotBeClimbed(platform: 1)) { try Level.of([(0, 0, 100), (0, -1, 100)]) }
    #expect(throws: LevelProblem.outOfRange("width")) { try Level.of([(0, 0, -1), (0, 100, 100)]) }
    #expect(throws: LevelProblem.outOfRange("x")) { try Level.of([(0, 0, 100), (200, 100, 100)]) }
    #expect(throws: LevelProblem.outOfRange("timeLimit")) { try Level.of([(0, 0, 9), (0, 9, 9)], timeLimit: 1e300) }
    #expect(throws: LevelProblem.outOfRange("platforms")) { try Level.of([(0, 0, 100)]) }
    let text = String(decoding: try Data(contentsOf: URL(filePath: #filePath)), as: UTF8.self)
    #expect(throws: LevelProblem.notALevel) { try Level(json: Data(text.utf8)) }
  }

  @Test("The content hash follows what the game depends on")
  func contentHash() throws {
    let level = try Level.floor()
    #expect(try level.contentHash == Level.floor().contentHash)
    #expect(try level.contentHash != Level.floor(timeLimit: 59).contentHash)
  }
}
