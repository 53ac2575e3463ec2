// The fused engine against OpenCV's dnn module: the same networks, so the same points.
import FaceGeometry
import Fixtures
import Frames
import Testing

@testable import FaceTracking

@Suite("Equivalence of the engines")
struct EquivalenceTests {
  /// Pixels of the network's input.
  static let tolerance: Float = 0.05
  static let meshSide: Float = 192
  static let detectorSide: Float = 128

  static let available = InstructionSet.allCases.filter(\.isAvailable)

  /// A face of the demo clip and where it was looked for, and what OpenCV found there.
  struct Crop {
    let frame: Frame
    let place: FacePlace
    let landmarks: FaceLandmarks
  }

  /// 200 crops: the demo's faces, some moved, turned or scaled off centre.
  static let crops: [Crop] = {
    do {
      let reference = try Checkout.landmarker(.dnn)
      var crops: [Crop] = []
      for (index, frame) in try Checkout.frames(every: 4, of: 200).enumerated() {
        guard var place = try reference.detect(in: frame, square: .whole(frame)).first?.place else { continue }
        let nudge = Float(index % 5) - 2
        place.centre += SIMD2(nudge * 4, -nudge * 3)
        place.rotation += nudge * 0.1
        place.size *= 1 + nudge * 0.04
        guard let sighting = try reference.landmarks(in: frame, at: place) else { continue }
        crops.append(Crop(frame: frame, place: place, landmarks: sighting.landmarks))
      }
      return crops
    } catch {
      return []
    }
  }()

  @Test("Every landmark of 200 crops is where OpenCV puts it", arguments: available)
  func landmarks(instructions: InstructionSet) throws {
    #expect(Self.crops.count == 200)
    let landmarker = try Checkout.landmarker(.fused, instructions)
    var worst: Float = 0
    for crop in Self.crops {
      let found = try #require(try landmarker.landmarks(in: crop.frame, at: crop.place)).landmarks
      let scale = Self.meshSide / (FacePlace.cropMargin * crop.place.size)
      for (point, expected) in zip(found.points, crop.landmarks.points) {
        let difference = (SIMD3(point.x, point.y, point.z) - SIMD3(expected.x, expected.y, expected.z)) * scale
        worst = max(worst, abs(difference.x), abs(difference.y), abs(difference.z))
      }
    }
    #expect(worst <= Self.tolerance)
  }

  @Test("The detector finds the faces where OpenCV does", arguments: available)
  func detection(instructions: InstructionSet) throws {
    let reference = try Checkout.landmarker(.dnn)
    let landmarker = try Checkout.landmarker(.fused, instructions)
    for frame in try Checkout.frames(every: 40, of: 20) {
      let expected = try reference.detect(in: frame, square: .whole(frame)).map(\.place)
      let found = try landmarker.detect(in: frame, square: .whole(frame)).map(\.place)
      try #require(found.count == expected.count && !found.isEmpty)
      let scale = Self.detectorSide / Float(max(frame.width, frame.height))
      for (face, other) in zip(found, expected) {
        #expect(abs(face.centre.x - other.centre.x) * scale <= Self.tolerance)
        #expect(abs(face.centre.y - other.centre.y) * scale <= Self.tolerance)
        #expect(abs(face.size - other.size) * scale <= Self.tolerance)
      }
    }
  }
}
