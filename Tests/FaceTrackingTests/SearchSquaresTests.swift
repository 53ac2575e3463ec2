// The parts of a picture that the detector is shown.
import Testing

@testable import FaceTracking

@Suite("Search squares")
struct SearchSquaresTests {
  @Test("A square picture is searched as a whole")
  func square() {
    let whole = Square(centre: SIMD2(240, 240), side: 480)
    #expect(Square.everywhere(in: SIMD2(480, 480)) == [whole])
  }

  @Test(
    "Any face up to a fifth of the picture's shorter side lies whole in a part as high as the picture",
    arguments: [SIMD2<Float>(640, 480), SIMD2(1280, 720), SIMD2(480, 270), SIMD2(1632, 480), SIMD2(720, 1280)])
  func parts(pictureSize: SIMD2<Float>) {
    let (long, short) = (pictureSize.max(), pictureSize.min())
    let squares = Square.everywhere(in: pictureSize)
    #expect(squares.first == Square(centre: pictureSize / 2, side: long))
    let parts = squares.dropFirst().map { part in
      let middle = pictureSize.x > pictureSize.y ? part.centre.x : part.centre.y
      return (middle - part.side / 2)...(middle + part.side / 2)
    }
    #expect(squares.dropFirst().allSatisfy { $0.side == short })
    let face = short / 5
    for start in stride(from: 0, through: long - face, by: 1) {
      #expect(parts.contains { $0.lowerBound <= start + 0.01 && start + face <= $0.upperBound + 0.01 })
    }
  }

  @Test("However wide a picture is, no more than five squares are searched")
  func panorama() {
    #expect(Square.everywhere(in: SIMD2(16384, 1)).count == 5)
  }

  @Test("A lost face fills a sixth of the square around it")
  func near() {
    let place = FacePlace(
      topLeft: SIMD2(260, 180), bottomRight: SIMD2(380, 300), leftEye: SIMD2(290, 220), rightEye: SIMD2(350, 220))
    #expect(Square.near(place) == Square(centre: SIMD2(320, 240), side: 720))
  }
}
