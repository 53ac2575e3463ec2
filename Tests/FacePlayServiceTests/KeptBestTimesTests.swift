// Best times from one session to the next.
import Calibration
import CosmicAdventure
import Foundation
import Gestures
import Testing

@testable import FacePlayService

@Suite("Kept best times")
struct KeptBestTimesTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "faceplay-times-\(UUID())")
  private var store: ProfileStore { ProfileStore(folder: folder.appending(path: "profiles").path()) }

  private func times() throws -> KeptBestTimes {
    try KeptBestTimes(profile: Profile(), store: store) { Issue.record("\($0)") }
  }

  /// A run that waits for so many ticks, then jumps onto the goal.
  private func win(after ticks: Int) throws -> Game {
    let level = """
      {"schema": "faceplay-level/1", "name": "step", "title": "Step", "halfWidth": 195, "monsterSpeed": 1,
       "platforms": [{"x": 0, "top": 0, "width": 200}, {"x": 0, "top": 100, "width": 200}]}
      """
    var run = GameRun(level: try Level(json: Data(level.utf8)))
    for _ in 0..<ticks { run.step() }
    run.take(.purse(.begin, strength: 1))
    for _ in 0..<600 where run.game.outcome == nil { run.step() }
    try #require(run.game.outcome?.verdicts == [.success])
    return run.game
  }

  @Test("A best time is there in the next session, a slower run changes nothing")
  func kept() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let game = try win(after: 0)
    do {
      let times = try times()
      times.add(game)
      times.add(try win(after: 60))
      try times.check()
    }
    #expect(try times().times[game.level] == game.outcome?.tick)
  }

  @Test("What else is remembered of the player stays")
  func others() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let game = try win(after: 0)
    func file() throws -> PlayerFile { try PlayerFile(profile: "mine", profiles: store.folder) }
    var player = PlayerFile.Player()
    player.nickname = "하나"
    try file().save(player)
    try times().add(game)
    player.bestTimes.add(game)
    #expect(try file().load { _ in } == player)
  }

  @Test("While another has the player, nothing is undone: there is no session")
  func inUse() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try times()
    #expect(throws: PlayerInUseError.self) { try times() }
    try first.check()
  }

  @Test("A time that could not be written is told")
  func failure() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let times = try times()
    try FileManager.default.removeItem(at: folder)
    try Data().write(to: folder)
    times.add(try win(after: 0))
    #expect(throws: (any Error).self) { try times.check() }
  }
}
