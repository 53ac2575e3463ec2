// A game on its own thread.
import CosmicAdventure
import Fixtures
import Foundation
import Frames
import GestureStream
import Gestures
import Synchronization
import Testing

@testable import FacePlayService

@Suite("Game session")
struct GameSessionTests {
  private func record(_ event: InputEvent) -> StreamRecord {
    .event(TimedEvent(frameIndex: 0, timestamp: 0, event: event))
  }

  @Test("A face begins the game, scenes come while it runs, and its end gives the run up and tells it once")
  func whole() throws {
    let level = try Level(json: Data(contentsOf: Checkout.root.appending(path: "levels/gentle.json")))
    let scenes = NewestSlot<GameScene>()
    let runs = Mutex<[GameRun]>([])
    let session = GameSession(
      Playthrough(levels: [level], startingWith: 0), onScene: { scenes.put($0) },
      onRun: { run in runs.withLock { $0.append(run) } })
    session.tell(record(.face(.found)))
    var phases: [GameFlow.Phase] = []
    while let scene = scenes.take(), scene.game.tick < 30 { phases.append(scene.phase) }
    session.tell(record(.horizontal(0.5)))
    session.end()
    #expect(phases.contains { if case .countdown = $0 { true } else { false } } && phases.contains(.playing))
    let told = runs.withLock { $0 }
    #expect(told.map { $0.game.outcome?.reason } == [.quit])
    // What was heard last is in it, even if no tick came after.
    #expect(told.first?.record.inputs.contains { $0.action == .steer(0.5) } == true)
  }

  @Test("A run that is written reads back; what is no run says which file and why")
  func files() throws {
    let level = try Level.named("orbit", in: DataFiles())
    var run = GameRun(level: level)
    run.take(.purse(.begin, strength: 1))
    for _ in 0..<100 { run.step() }
    let path = FileManager.default.temporaryDirectory.appending(path: "faceplay-\(UUID()).json").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try run.record.write(to: path)
    #expect(try RunRecord(contentsOf: path) == run.record)
    try Data("no run".utf8).write(to: URL(filePath: path))
    #expect(throws: RunFileError(path: path, problem: .notARun)) { try RunRecord(contentsOf: path) }
  }
}
