// How a face is cut out of a picture whose edges are near.
import FaceGeometry
import Fixtures
import Frames
import Testing

@testable import FaceTracking

@Suite("Crops at a picture's edges")
struct CropTests {
  /// The part of a frame from `x`, `y` on; beyond the frame its outermost pixels go on.
  private func part(of frame: Frame, x: Int, y: Int, width: Int, height: Int) -> Frame {
    Frame(index: 0, timestamp: 0, format: .bgr24, width: width, height: height, bytesPerRow: width * 3) { target in
      frame.withPixels { pixels in
        for row in 0..<height {
          let source = min(max(y + row, 0), frame.height - 1) * frame.bytesPerRow
          for column in 0..<width {
            let from = source + min(max(x + column, 0), frame.width - 1) * 3
            for channel in 0..<3 { target[(row * width + column) * 3 + channel] = pixels[from + channel] }
          }
        }
      }
    }
  }

  @Test(
    "Beyond the edge the outermost pixels go on: the same landmarks as in a picture that shows them",
    arguments: InstructionSet.allCases.filter(\.isAvailable))
  func repeatedEdges(instructions: InstructionSet) throws {
    let landmarker = try Checkout.landmarker(.fused, instructions)
    let frame = try #require(try Checkout.frames(every: 1, of: 1).first).bgr
    var place = try #require(try landmarker.detect(in: frame, square: .whole(frame)).first).place
    place.rotation += 0.2
    // So tight around the face that all four edges cut through the crop.
    let side = Int(place.size * 1.1)
    let tight = part(
      of: frame, x: Int(place.centre.x) - side / 2, y: Int(place.centre.y) - side / 2, width: side, height: side)
    let border = side
    let wide = part(of: tight, x: -border, y: -border, width: 3 * side, height: 3 * side)

    place.centre = SIMD2(repeating: Float(side) / 2)
    let found = try #require(try landmarker.landmarks(in: tight, at: place)).landmarks
    place.centre += Float(border)
    let expected = try #require(try landmarker.landmarks(in: wide, at: place)).landmarks
    for (point, other) in zip(found.points, expected.points) {
      #expect(abs(point.x + Float(border) - other.x) < 0.02 && abs(point.y + Float(border) - other.y) < 0.02)
    }
  }
}
