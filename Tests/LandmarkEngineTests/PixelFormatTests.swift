// Faces in luma and chroma as cameras and clips deliver them, against the same pictures in BGR.
import FaceGeometry
import Fixtures
import Frames
import Testing

@testable import FaceTracking

@Suite("Pixel formats")
struct PixelFormatTests {
  static let encodings = [ColourEncoding.Matrix.bt601, .bt709].flatMap { matrix in
    [false, true].map { ColourEncoding(matrix, isFullRange: $0) }
  }

  /// Every hundredth frame of the demo clip, which are I420, and where the face is in each.
  static let faces: [(frame: Frame, place: FacePlace)] = {
    do {
      let landmarker = try Checkout.landmarker()
      return try Checkout.frames(every: 100, of: 8).compactMap { frame in
        try landmarker.detect(in: frame, square: .whole(frame)).first.map { (frame, $0.place) }
      }
    } catch {
      return []
    }
  }()

  /// The farthest that a landmark in `frame` is from where it is in the same picture in BGR, pixels.
  private func farthest(_ landmarker: borrowing FaceLandmarker, _ frame: Frame, _ place: FacePlace) throws -> Float {
    let found = try #require(try landmarker.landmarks(in: frame, at: place)).landmarks
    let expected = try #require(try landmarker.landmarks(in: frame.bgr, at: place)).landmarks
    return zip(found.points, expected.points).map { max(abs($0.x - $1.x), abs($0.y - $1.y)) }.max() ?? .infinity
  }

  @Test(
    "In every layout a face has the landmarks of the same picture in BGR", arguments: ChromaLayout.allCases,
    InstructionSet.allCases.filter(\.isAvailable))
  func layouts(layout: ChromaLayout, instructions: InstructionSet) throws {
    #expect(Self.faces.count == 8)
    let landmarker = try Checkout.landmarker(.fused, instructions)
    for (frame, place) in Self.faces {
      #expect(try farthest(landmarker, frame.rearranged(as: layout, padding: 6), place) <= 0.1)
    }
  }

  @Test("Colours are those of the encoding", arguments: encodings)
  func colours(encoding: ColourEncoding) throws {
    let landmarker = try Checkout.landmarker()
    let (frame, place) = try #require(Self.faces.first)
    #expect(try farthest(landmarker, frame.rearranged(as: .i420, encoding), place) <= 0.1)
  }

  @Test(
    "At a picture's edges a face has the same landmarks too, odd sizes included", arguments: ChromaLayout.allCases,
    [0, 1])
  func edges(layout: ChromaLayout, odd: Int) throws {
    let landmarker = try Checkout.landmarker()
    var (frame, place) = try #require(Self.faces.first)
    place.rotation += 0.2
    // So tight around the face that all four edges cut through the crop.
    let half = Int(place.size * 0.55)
    let (left, top) = ((Int(place.centre.x) - half) & ~1, (Int(place.centre.y) - half) & ~1)
    let tight = frame.rearranged(
      as: layout, x: left..<left + 2 * half + odd, y: top..<top + 2 * half + odd)
    place.centre -= SIMD2(Float(left), Float(top))
    #expect(try farthest(landmarker, tight, place) <= 0.1)
  }

  @Test("The detector finds the same faces in every layout", arguments: ChromaLayout.allCases)
  func detection(layout: ChromaLayout) throws {
    let landmarker = try Checkout.landmarker()
    for (frame, _) in Self.faces {
      let found = try landmarker.detect(in: frame.rearranged(as: layout), square: .whole(frame)).map(\.place)
      let expected = try landmarker.detect(in: frame.bgr, square: .whole(frame)).map(\.place)
      try #require(found.count == expected.count && !found.isEmpty)
      for (face, other) in zip(found, expected) {
        #expect(face.distance(to: other) * face.size <= 0.1 && abs(face.size - other.size) <= 0.1)
      }
    }
  }
}
