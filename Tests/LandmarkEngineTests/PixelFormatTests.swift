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

  /// Pixels. In these faces landmarks move this far already when up to half a level of noise is added to BGR's bytes, so
  /// what rounds colours otherwise or not at all cannot be asked for less. Chroma half a pixel aside moves them by 0.17.
  static let tolerance: Float = 0.1

  /// The farthest that a landmark in `frame` is from where it is in `bgr`, the same picture, pixels.
  private func farthest(
    _ landmarker: borrowing FaceLandmarker, _ frame: Frame, _ bgr: Frame, _ place: FacePlace
  ) throws -> Float {
    let found = try #require(try landmarker.landmarks(in: frame, at: place)).landmarks
    let expected = try #require(try landmarker.landmarks(in: bgr, at: place)).landmarks
    return zip(found.points, expected.points).map { max(abs($0.x - $1.x), abs($0.y - $1.y)) }.max() ?? .infinity
  }

  @Test(
    "In every layout a face has the landmarks of the same picture in BGR", arguments: ChromaLayout.allCases)
  func layouts(layout: ChromaLayout) throws {
    #expect(Self.faces.count == 8)
    let pictures = Self.faces.map { face in
      let frame = face.frame.rearranged(as: layout, padding: 6)
      return (frame: frame, bgr: frame.bgr, place: face.place)
    }
    for instructions in InstructionSet.allCases where instructions.isAvailable {
      let landmarker = try Checkout.landmarker(.fused, instructions)
      for (frame, bgr, place) in pictures {
        #expect(try farthest(landmarker, frame, bgr, place) <= Self.tolerance, "\(instructions)")
      }
    }
  }

  @Test("Colours are those of the encoding", arguments: encodings)
  func colours(encoding: ColourEncoding) throws {
    let landmarker = try Checkout.landmarker()
    let (frame, place) = try #require(Self.faces.first)
    let picture = frame.rearranged(as: .i420, encoding)
    #expect(try farthest(landmarker, picture, picture.bgr, place) <= Self.tolerance)
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
    #expect(try farthest(landmarker, tight, tight.bgr, place) <= Self.tolerance)
  }

  /// The detector sees the whole picture in 128×128 pixels, in which it finds a face to a tenth: noise of one level in a
  /// quarter of BGR's bytes moves it by 0.04 of them and its size by 0.07.
  @Test("The detector finds the same faces in every layout", arguments: ChromaLayout.allCases)
  func detection(layout: ChromaLayout) throws {
    let landmarker = try Checkout.landmarker()
    for (frame, _) in Self.faces {
      let picture = frame.rearranged(as: layout)
      let tolerance = 0.1 * Float(max(frame.width, frame.height)) / 128
      let found = try landmarker.detect(in: picture, square: .whole(frame)).map(\.place)
      let expected = try landmarker.detect(in: picture.bgr, square: .whole(frame)).map(\.place)
      try #require(found.count == expected.count && !found.isEmpty)
      for (face, other) in zip(found, expected) {
        #expect(face.distance(to: other) * face.size <= tolerance && abs(face.size - other.size) <= tolerance)
      }
    }
  }
}
