// The jump rules as tables.
import Testing

@testable import Gestures

@Suite("Jumps")
struct JumpStateMachineTests {
  enum Step {
    case purse(Int64)
    case land(Int64)
    case leave(Int64)
  }

  /// Times in milliseconds; the jumps made, in order, with their times.
  static let table: [(String, [Step], [(Int64, Int)])] = [
    ("a purse on the ground is jump 1", [.purse(0)], [(0, 1)]),
    ("a second purse in the air is jump 2", [.purse(0), .purse(300)], [(0, 1), (300, 2)]),
    ("a third purse does nothing", [.purse(0), .purse(300), .purse(400)], [(0, 1), (300, 2)]),
    ("landing resets", [.purse(0), .purse(300), .land(800), .purse(900)], [(0, 1), (300, 2), (900, 1)]),
    (
      "the engine's report of a jump's own take-off changes nothing", [.purse(0), .leave(8), .purse(300)],
      [(0, 1), (300, 2)]
    ),
    (
      "a third purse just before landing jumps on landing", [.purse(0), .purse(300), .purse(720), .land(800)],
      [(0, 1), (300, 2), (800, 1)]
    ),
    (
      "a third purse long before landing is forgotten", [.purse(0), .purse(300), .purse(600), .land(800)],
      [(0, 1), (300, 2)]
    ),
    (
      "a buffered jump leaves one more for the air",
      [.purse(0), .purse(300), .purse(750), .land(800), .purse(1000), .purse(1100)],
      [(0, 1), (300, 2), (800, 1), (1000, 2)]
    ),
    ("just after an edge a purse is still jump 1", [.leave(0), .purse(90), .purse(300)], [(90, 1), (300, 2)]),
    ("long after an edge only jump 2 is left", [.leave(0), .purse(200), .purse(400)], [(200, 2)]),
    ("landing without a purse makes no jump", [.leave(0), .land(500)], []),
  ]

  /// The jumps that the steps make, with their times in milliseconds.
  private func jumps(_ steps: [Step], _ settings: JumpSettings = JumpSettings()) -> [(Int64, Int)] {
    var machine = JumpStateMachine(settings: settings)
    return steps.compactMap { step in
      switch step {
      case .purse(let time): return machine.pursed(at: time * 1_000_000).map { (time, $0) }
      case .land(let time): return machine.landed(at: time * 1_000_000).map { (time, $0) }
      case .leave(let time):
        machine.leftGround(at: time * 1_000_000)
        return nil
      }
    }
  }

  @Test("Rules", arguments: table.indices)
  func rules(row: Int) {
    let (name, steps, expected) = Self.table[row]
    let jumps = jumps(steps)
    #expect(jumps.map(\.0) == expected.map(\.0), "\(name)")
    #expect(jumps.map(\.1) == expected.map(\.1), "\(name)")
  }

  @Test(
    "Within the interval after a jump a purse makes none, nor on landing",
    arguments: [
      ([Step.purse(0), .purse(490), .purse(500)], [1, 2]),
      ([.purse(0), .purse(500), .purse(790), .land(800), .purse(900), .purse(1000)], [1, 2, 1]),
    ])
  func interval(steps: [Step], expected: [Int]) {
    var settings = JumpSettings()
    settings.interval = 0.5
    #expect(jumps(steps, settings).map(\.1) == expected)
  }

  @Test(
    "Without double jumps a purse in the air makes none, unless just before landing",
    arguments: [
      ([Step.purse(0), .purse(300), .land(800), .purse(900)], [1, 1]),
      ([.purse(0), .purse(750), .land(800)], [1, 1]),
      ([.leave(0), .purse(90)], [1]), ([.leave(0), .purse(300), .land(800)], []),
    ])
  func noDouble(steps: [Step], expected: [Int]) {
    var settings = JumpSettings()
    settings.allowsDouble = false
    #expect(jumps(steps, settings).map(\.1) == expected)
  }

  @Test("A forgotten purse does not jump on landing")
  func forget() {
    var machine = JumpStateMachine()
    for time in [0, 300, 750] as [Int64] { _ = machine.pursed(at: time * 1_000_000) }
    #expect(machine.hasBufferedPurse)
    machine.forgetBufferedPurse()
    #expect(machine.landed(at: 800_000_000) == nil)
  }
}
