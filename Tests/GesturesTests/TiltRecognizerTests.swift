// Tilt to steering.
import Testing

@testable import Gestures

@Suite("Tilt")
struct TiltRecognizerTests {
  /// Roll by roll, and the changes expected at each.
  static let table: [(String, [(roll: Double, changes: [String])])] = [
    ("inside the dead zone nothing begins", [(10.9, []), (-10.9, [])]),
    ("the dead zone's edge begins a tilt to that side", [(11, ["begin right"])]),
    ("a tilt lasts until it is well inside the dead zone", [(12, ["begin right"]), (8, []), (7.4, ["end right"])]),
    ("noise at the edge begins one tilt only", [(11.1, ["begin right"]), (10.8, []), (11.2, [])]),
    ("crossing over ends one side and begins the other", [(-20, ["begin left"]), (20, ["end left", "begin right"])]),
  ]

  @Test("Hysteresis", arguments: table.indices)
  func hysteresis(row: Int) {
    var tilt = TiltRecognizer(settings: TiltSettings())
    for (roll, expected) in Self.table[row].1 {
      let changes = tilt.update(roll: roll, yaw: 0).map { "\($0.0) \($0.1)" }
      #expect(changes == expected, "\(Self.table[row].0)")
    }
  }

  @Test("Turned away, no tilt begins, and one under way goes on")
  func yaw() {
    var tilt = TiltRecognizer(settings: TiltSettings())
    #expect(tilt.update(roll: 15, yaw: 30).isEmpty)
    #expect(tilt.update(roll: 15, yaw: 5).count == 1)
    #expect(tilt.update(roll: 15, yaw: 30).isEmpty)
    #expect(tilt.active == .right)
  }

  @Test("Steering starts at 0 at the dead zone's edge, reaches 1 at the player's extent and stays there")
  func steering() {
    var tilt = TiltRecognizer(settings: TiltSettings())
    _ = tilt.update(roll: 11, yaw: 0)
    #expect(tilt.steering(roll: 11) == 0)
    #expect(tilt.steering(roll: 9) == 0)
    #expect(tilt.steering(roll: 22) == 1)
    #expect(tilt.steering(roll: 60) == 1)
  }

  @Test("Steering grows with the tilt, never jumps, and left is negative")
  func monotonic() {
    var tilt = TiltRecognizer(settings: TiltSettings())
    _ = tilt.update(roll: -12, yaw: 0)
    var last = 0.0
    for tenth in 110...230 {
      let value = tilt.steering(roll: -Double(tenth) / 10)
      #expect(value <= last && last - value < 0.03)
      last = value
    }
    #expect(last == -1)
  }

  @Test("Each side has its own extent")
  func sides() {
    var settings = TiltSettings()
    settings.left.full = 15
    var tilt = TiltRecognizer(settings: settings)
    _ = tilt.update(roll: -15, yaw: 0)
    #expect(tilt.steering(roll: -15) == -1)
    _ = tilt.update(roll: 15, yaw: 0)
    #expect(tilt.steering(roll: 15) < 0.5)
  }

  @Test("Inverted, a tilt to the left is told and steers as one to the right")
  func inverted() {
    var settings = TiltSettings()
    settings.isInverted = true
    var tilt = TiltRecognizer(settings: settings)
    let begun = tilt.update(roll: -22, yaw: 0).map { "\($0.0) \($0.1)" }
    #expect(begun == ["begin right"] && tilt.active == .right)
    #expect(tilt.steering(roll: -22) == 1)
    let ended = tilt.update(roll: 0, yaw: 0).map { "\($0.0) \($0.1)" }
    #expect(ended == ["end right"])
  }

  @Test("A tilt ends as it was told, though settings were inverted amid it")
  func invertedAmid() {
    var tilt = TiltRecognizer(settings: TiltSettings())
    _ = tilt.update(roll: 22, yaw: 0)
    tilt.settings.isInverted = true
    #expect(tilt.update(roll: 22, yaw: 0).isEmpty && tilt.steering(roll: 22) == 1)
    let crossed = tilt.update(roll: -22, yaw: 0).map { "\($0.0) \($0.1)" }
    #expect(crossed == ["end right", "begin right"])
  }

  @Test("Letting go tells the side once")
  func release() {
    var tilt = TiltRecognizer(settings: TiltSettings())
    _ = tilt.update(roll: 15, yaw: 0)
    let released = (tilt.release(), tilt.release())
    #expect(released == (.right, nil))
    #expect(tilt.steering(roll: 15) == 0)
  }
}
