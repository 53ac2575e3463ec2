// The guided calibration, as a player meets it.
import Fixtures
import Gestures
import Testing

@testable import Calibration

@Suite("Guided calibration")
struct GuidedCalibrationTests {
  private let script = try! CalibrationScript.shipped()

  @Test("A player who follows the prompts goes from start to a profile without a key")
  func whole() {
    var guided = GuidedPlayer(script: script)
    guided.play(script: script)
    print(guided.seen.joined(separator: "\n"), guided.calibration.outcome as Any, guided.time)
  }
}
