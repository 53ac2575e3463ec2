// Calibration holds what it promises, whoever plays.
import FaceGeometry
import Fixtures
import Gestures
import Testing

@testable import Calibration

@Suite("Calibration of players drawn from a wide range")
struct CalibrationPropertyTests {
  @Test("Each one steers to both ends and jumps under the saved profile, or was told plainly that it cannot")
  func everyone() throws {
    let script = try CalibrationScript.shipped()
    var refusals: [String: Int] = [:]
    var calibrated = 0
    for seed in 1...60 {
      let player = SimulatedPlayer.drawn(seed: UInt64(seed))
      var guided = GuidedPlayer(player, script: script)
      guided.play(script: script)
      switch try #require(guided.calibration.outcome) {
      case .calibrated(let analysis):
        calibrated += 1
        let reached = Play(player, analysis.profile)
        if !(reached.left == -1 && reached.right == 1 && reached.jumps >= 1) { print("FAIL", seed, short(player), reached, analysis.profile.tilt.left, analysis.profile.tilt.right, analysis.profile.purse, analysis.purse as Any) }
        #expect(reached.left == -1 && reached.right == 1 && reached.jumps >= 1, "seed \(seed)")
      case .refused(let refusal):
        print(seed, refusal, short(player), guided.time / 1_000_000_000)
        refusals[String("\(refusal)".prefix { $0 != "(" }), default: 0] += 1
      }
    }
    print("calibrated", calibrated, refusals)
  }
}

func short(_ p: SimulatedPlayer) -> [Int] {
  [p.extentLeft, p.extentRight, p.restingRoll, p.rollNoise * 100, p.lipNoise * 1000, p.restingPurse * 100, p.talkOverlap * 100, p.purseRoll * 10].map { Int($0) }
}

/// The player in a game under a profile.
private struct Play {
  var left = 0.0
  var right = 0.0
  var jumps = 0

  init(_ player: SimulatedPlayer, _ profile: Profile) {
    var player = player
    var recognizer = GestureRecognizer(profile: profile)
    var time: Int64 = 0
    for (activity, seconds) in [(Activity.rest, 1.0), (.tiltLeft, 2), (.rest, 1), (.tiltRight, 2), (.rest, 1), (.purse, 5)] {
      let start = time
      while Double(time - start) < seconds * 1e9 {
        let face = player.face(activity, after: Double(time - start) / 1e9)
        let (state, events) = recognizer.process(
          FaceObservation(frameIndex: 0, timestamp: time, confidence: 1, landmarks: face.landmarks))
        left = min(left, state.horizontal)
        right = max(right, state.horizontal)
        jumps += events.count { if case .jump = $0.event { true } else { false } }
        time += GuidedPlayer.interval
      }
    }
  }
}
