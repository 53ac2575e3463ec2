// What real people's landmarks tell must not depend on the camera.
import FaceGeometry
import Fixtures
import GestureStream
import Gestures
import Testing

@Suite("Traces seen by other cameras")
struct InvarianceTests {
  private func observations(_ name: String) throws -> [FaceObservation] {
    let path = Checkout.cases.appending(path: "traces/\(name).fplm").path(percentEncoded: false)
    var reader = try TraceReader(InputFile(path: path))
    var observations: [FaceObservation] = []
    while let observation = try reader.next() { observations.append(observation) }
    return observations
  }

  /// Tilts and purses as begun and ended, by frame.
  private func gestures(_ observations: [FaceObservation], _ place: (SIMD3<Float>) -> SIMD3<Float>) -> [String] {
    var recognizer = GestureRecognizer(profile: Profile())
    return observations.flatMap { seen -> [String] in
      let points = seen.landmarks.map { $0.points.map(place) }
      let moved = FaceObservation(
        frameIndex: seen.frameIndex, timestamp: seen.timestamp, confidence: seen.confidence,
        landmarks: points.flatMap(FaceLandmarks.init))
      return recognizer.process(moved).1.compactMap { event in
        switch event.event {
        case .tilt(let phase, let direction): "\(event.frameIndex) tilt \(phase) \(direction)"
        case .purse(let phase, _): "\(event.frameIndex) purse \(phase)"
        default: nil
        }
      }
    }
  }

  @Test(
    "A sharper or coarser camera, and a face elsewhere in its picture, give the same tilts and purses in the same frames",
    .needsCases, arguments: ["talk-01", "talk-16", "scripted-01", "other-10"])
  func camera(name: String) throws {
    let observations = try observations(name)
    let seen = gestures(observations) { $0 }
    #expect(!seen.isEmpty)
    for (scale, shift) in [(0.25, SIMD3<Float>(0, 0, 0)), (3, SIMD3(0, 0, 0)), (0.7, SIMD3(911, -77, 0))] {
      #expect(gestures(observations) { $0 * Float(scale) + shift } == seen)
    }
  }
}
