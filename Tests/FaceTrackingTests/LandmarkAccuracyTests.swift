// Landmarks against MediaPipe's own, and against clips whose roll is known frame by frame.

import FaceGeometry
import Fixtures
import Foundation
import Frames
import Testing

@testable import FaceTracking

@Suite(.needsCases) struct LandmarkAccuracyTests {
  @Test("The portrait's 478 points are MediaPipe's to a thousandth of the distance between the eyes")
  func portrait() throws {
    struct Reference: Decodable { let points: [[Float]] }
    let file = Checkout.cases.appending(path: "portrait.landmarks.json")
    let reference = try JSONDecoder().decode(Reference.self, from: Data(contentsOf: file)).points
    var tracker = try FaceTracker(modelsDirectory: Checkout.models.path())
    let landmarks = try #require(try tracker.track(try Checkout.firstFrame("portrait.png")).landmarks)

    let distances = zip(landmarks.points, reference).map { hypot($0.x - $1[0], $0.y - $1[1]) }
    let interocular = hypot(reference[263][0] - reference[33][0], reference[263][1] - reference[33][1])
    let mean = distances.reduce(0, +) / Float(distances.count)
    #expect(reference.count == FaceLandmarks.count)
    #expect(mean <= 0.001 * interocular)
    #expect(distances.max()! <= 0.01 * interocular)
  }

  @Test("The eyes' roll is right to half a degree on average", arguments: ["roll-stairs", "roll-dark"])
  func roll(name: String) throws {
    struct Truth: Decodable { let roll: [Double] }
    let file = Checkout.cases.appending(path: "\(name).truth.json")
    let truth = try JSONDecoder().decode(Truth.self, from: Data(contentsOf: file)).roll
    var tracker = try FaceTracker(modelsDirectory: Checkout.models.path())
    var rolls: [Double] = []
    let clip = try Checkout.clip("\(name).mp4")
    while let frame = try clip.next() {
      let landmarks = try #require(try tracker.track(frame).landmarks)
      // Positive: the player's right, the top of the head towards image left.
      let eyes = landmarks[263] - landmarks[33]
      rolls.append(-atan2(Double(eyes.y), Double(eyes.x)) * 180 / .pi)
    }
    let errors = zip(rolls, truth).map { abs($0 - rolls[0] - ($1 - truth[0])) }
    #expect(rolls.count == truth.count)
    #expect(errors.reduce(0, +) / Double(errors.count) <= 0.5)
    #expect(tracker.searches == 1)
  }
}
