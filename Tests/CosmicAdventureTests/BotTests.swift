// Every level can be played by a face, late and imprecise as people are.
import GameEngine
import Testing

@testable import CosmicAdventure

@Suite("A bot with a face")
struct BotTests {
  @Test("With 100 ms of reaction and noisy landmarks it finishes every level", arguments: Level.names)
  func everyLevel(name: String) throws {
    var bot = Bot(level: try Level.named(name), seed: 1, purseJitter: 0)
    bot.play(seconds: 120)
    let game = bot.run.game
    #expect(game.outcome?.verdicts == [.success], "reached platform \(game.players[0].safePlatform)")
  }

  @Test("With purses a frame early or late it still finishes the gentle level", arguments: [1, 2, 3] as [UInt64])
  func imprecise(seed: UInt64) throws {
    var bot = Bot(level: try Level.named("gentle"), seed: seed, purseJitter: 1)
    bot.play(seconds: 120)
    let game = bot.run.game
    #expect(game.outcome?.verdicts == [.success])
  }
}
