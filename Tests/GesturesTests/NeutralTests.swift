import FaceGeometry
// The neutral a player is measured against while no profile is given.
import Fixtures
import Testing

@testable import Gestures

@Suite("Neutral")
struct NeutralTests {
  private func estimator(after seconds: Double, of face: SyntheticFace) -> NeutralEstimator {
    var estimator = NeutralEstimator()
    observe(&estimator, face, from: 0, seconds: seconds)
    return estimator
  }

  private func observe(_ estimator: inout NeutralEstimator, _ face: SyntheticFace, from: Double, seconds: Double) {
    let signals = FaceSignals(face.landmarks)!
    for frame in 0..<Int(seconds * 30) {
      estimator.observe(signals, at: Int64((from + Double(frame) / 30) * 1e9))
    }
  }

  @Test("A head held askew is the neutral after a minute")
  func askew() {
    #expect(abs(estimator(after: 60, of: .tilted(8)).neutral.roll - 8) < 0.6)
  }

  @Test("A head that starts tilted is not taken for the neutral in its first second")
  func startsTilted() {
    #expect(abs(estimator(after: 1, of: .tilted(20)).neutral.roll) < 5)
  }

  @Test("A quarter of the time spent tilted does not move the neutral")
  func outvoted() {
    var estimator = NeutralEstimator()
    for round in 0..<10 {
      observe(&estimator, .tilted(0), from: Double(round) * 4, seconds: 3)
      observe(&estimator, .tilted(20), from: Double(round) * 4 + 3, seconds: 1)
    }
    #expect(abs(estimator.neutral.roll) < 0.1)
  }

  @Test("The player's own lips become the neutral within seconds")
  func lips() {
    var face = SyntheticFace()
    face.widthOverNose = 1.0
    face.upperThickness = 0.05
    let neutral = estimator(after: 10, of: face).neutral
    #expect(abs(neutral.widthOverNose - 1.0) < 0.03)
    #expect(abs(neutral.upperThickness - 0.05) < 0.003)
  }

  @Test("Open mouths do not count for lip thickness")
  func talking() {
    var open = SyntheticFace()
    (open.innerGap, open.upperThickness) = (0.2, 0.12)
    var estimator = NeutralEstimator()
    for round in 0..<20 {
      observe(&estimator, SyntheticFace(), from: Double(round), seconds: 0.65)
      observe(&estimator, open, from: Double(round) + 0.65, seconds: 0.35)
    }
    #expect(abs(estimator.neutral.upperThickness - 0.07) < 0.001)
  }

  @Test("A camera at the side becomes the neutral yaw")
  func side() {
    var face = SyntheticFace()
    face.yaw = 28
    let neutral = estimator(after: 20, of: face).neutral
    #expect(abs(neutral.yaw - 28) < 3)
  }

  @Test("A calibrated neutral is the neutral at once, and a slump is followed within minutes")
  func calibrated() {
    var rest = Neutral.prior
    (rest.roll, rest.widthOverNose) = (6, 1.0)
    var estimator = NeutralEstimator(calibrated: rest)
    #expect(estimator.neutral == rest)
    observe(&estimator, .tilted(0), from: 0, seconds: 10)
    #expect(estimator.neutral.roll > 5 && estimator.neutral.widthOverNose < 1.07)
    observe(&estimator, .tilted(0), from: 10, seconds: 200)
    #expect(estimator.neutral.roll < 2)
  }

  @Test("Recentred, the posture is neutral at once and the lips stay what they were")
  func recentred() {
    var face = SyntheticFace()
    face.widthOverNose = 1.0
    var estimator = estimator(after: 10, of: face)
    let lips = estimator.neutral.widthOverNose
    estimator.recentre(roll: 12, yaw: -3)
    #expect(estimator.neutral.roll == 12 && estimator.neutral.yaw == -3)
    #expect(estimator.neutral.widthOverNose == lips)
  }

  @Test("The median of an even number of values is the mean of the middle two")
  func medians() {
    #expect(median([4, 1, 3, 2]) == 2.5)
    #expect(median([9, 1, 5]) == 5)
  }
}
