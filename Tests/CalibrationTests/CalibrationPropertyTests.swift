// Calibration holds what it promises, whoever plays.
import FaceGeometry
import Fixtures
import Gestures
import Testing

@testable import Calibration

@Suite("Calibration of players drawn from a wide range")
struct CalibrationPropertyTests {
  /// Reach of 5–45° a side, roll noise of 0.05–2°, lips pursed by 0–0.5 at rest, purses
  /// of 0.4–1 of the way from there to firm ones, talk that rounds them by 0–1 of a purse.
  @Test("Each steers to both ends and jumps under the profile, or is told that it cannot", arguments: 1...10)
  func everyone(seed: UInt64) throws {
    let player = SimulatedPlayer.drawn(seed: seed)
    var guided = GuidedPlayer(player, script: try .shipped())
    guided.play()
    guard let profile = try #require(guided.calibration.outcome).analysis?.profile else { return }
    let game = Game(player, profile)
    #expect(game.left == -1 && game.right == 1)
    #expect(game.purses >= 2 && game.jumps >= 2)
    #expect(game.madeUp == 0)
  }

  @Test("Whom calibration must not refuse: small tilts, one side smaller, lips half pursed at rest, much talk")
  func limited() throws {
    for change: (inout SimulatedPlayer) -> Void in [
      { $0.extentLeft = 5 }, { ($0.extentLeft, $0.extentRight) = (5, 40) }, { $0.restingPurse = 0.5 },
      { $0.talkOverlap = 0.9 }, { $0.restingRoll = 12 },
    ] {
      var player = SimulatedPlayer()
      change(&player)
      var guided = GuidedPlayer(player, script: try .shipped())
      guided.play()
      let profile = try #require(guided.calibration.outcome?.analysis).profile
      let game = Game(player, profile)
      #expect(game.left == -1 && game.right == 1 && game.purses == 3 && game.madeUp == 0)
    }
  }
}

/// The player in a game under a profile: rests, tilts to each side, rests, purses three times.
struct Game {
  var left = 0.0
  var right = 0.0
  var purses = 0
  var jumps = 0
  /// Gestures begun while at rest.
  var madeUp = 0

  init(_ player: SimulatedPlayer, _ profile: Profile) {
    var player = player
    var recognizer = GestureRecognizer(profile: profile)
    var time: Int64 = 0
    for (activity, seconds): (Activity, Double) in [
      (.rest, 5), (.tiltLeft, 2), (.rest, 1), (.tiltRight, 2), (.rest, 1), (.purse, 4.8),
    ] {
      let start = time
      while Double(time - start) < seconds * 1e9 {
        let after = Double(time - start) / 1e9
        let face = player.face(activity, after: after)
        let (state, events) = recognizer.process(
          FaceObservation(frameIndex: 0, timestamp: time, confidence: 1, landmarks: face.landmarks))
        left = min(left, state.horizontal)
        right = max(right, state.horizontal)
        for event in events { count(event.event, isResting: activity == .rest && after > 0.6) }
        time += GuidedPlayer.interval
      }
    }
  }

  private mutating func count(_ event: InputEvent, isResting: Bool) {
    switch event {
    case .purse(.begin, _):
      purses += 1
      if isResting { madeUp += 1 }
    case .tilt(.begin, _): if isResting { madeUp += 1 }
    case .jump: jumps += 1
    default: break
    }
  }
}
