// When a run's ticks were played, as a table.
import GameEngine
import Testing

@testable import CosmicAdventure

@Suite("Run clock")
struct RunClockTests {
  /// Milliseconds and ticks; the marks.
  private static let table: [(String, [(Int64, Int)], [(tick: Int, time: Int64)])] = [
    ("nothing played is no mark", [], []),
    ("the first ticks say when the game began", [(1025, 3)], [(0, 1000)]),
    ("a game that goes on needs no further mark", [(1000, 0), (1033, 4), (1066, 8), (2000, 120)], [(0, 1000)]),
    ("after a pause it goes on from a tick at a time", [(1000, 0), (1500, 60), (9000, 61)], [(0, 1000), (61, 9000)]),
    (
      "each pause counts from the one before it", [(0, 0), (1000, 60), (1500, 120), (3000, 180)],
      [(0, 0), (60, 1000), (180, 3000)]
    ),
    ("a scene that is a few ticks late is no pause", [(0, 0), (1040, 120), (2000, 240)], [(0, 0)]),
  ]

  @Test("A mark is where the game began or went on", arguments: table.indices)
  func marks(row: Int) {
    let (name, notes, expected) = Self.table[row]
    var clock = RunClock()
    for (time, tick) in notes { clock.note(tick, at: time * 1_000_000) }
    let marks = clock.marks(from: -5_000_000)
    #expect(
      marks.map(\.tick) == expected.map(\.tick) && marks.map(\.time) == expected.map { ($0.time + 5) * 1_000_000 },
      "\(name)")
  }

  @Test("A run keeps its marks on file, and marks that no run has are refused")
  func file() throws {
    var run = GameRun(level: try .floor())
    for _ in 0..<100 { run.step() }
    var clock = RunClock()
    clock.note(0, at: 1_000_000_000)
    clock.note(50, at: 3_000_000_000)
    let record = run.record.timed(by: clock, from: 1_500_000_000)
    #expect(try RunRecord(json: record.json) == record && record.video?.map(\.time) == [-500_000_000, 1_500_000_000])
    let text = String(decoding: record.json, as: UTF8.self)
    for (old, new) in [("\"tick\":50", "\"tick\":101"), ("\"tick\":50", "\"tick\":-1"), ("-500000000", "1500000000")] {
      #expect(text.contains(old))
      #expect(throws: RunProblem.damaged) { try RunRecord(json: Array(text.replacing(old, with: new).utf8)) }
    }
  }
}
