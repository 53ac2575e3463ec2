// Which parts of a picture the detector is shown.

import Testing

@testable import FaceTracking

@Suite struct SearchSquaresTests {
  @Test("A square picture is searched as a whole")
  func square() {
    #expect(Square.covering(width: 512, height: 512) == [Square(centre: SIMD2(256, 256), side: 512)])
  }

  @Test(
    "A wide or high picture is also searched in parts that reach from edge to edge and overlap by a fifth",
    arguments: [(640, 480), (1280, 720), (480, 640), (1600, 480)])
  func parts(width: Int, height: Int) {
    let size = SIMD2(Float(width), Float(height))
    let squares = Square.covering(width: width, height: height)
    let parts = squares.dropFirst()
    #expect(squares[0] == Square(centre: size / 2, side: size.max()))
    #expect(parts.allSatisfy { $0.side == size.min() })
    #expect(parts.first?.centre == SIMD2(repeating: size.min() / 2))
    #expect(parts.last?.centre == size - size.min() / 2)
    for (part, next) in zip(parts, parts.dropFirst()) {
      #expect((next.centre - part.centre).max() <= 0.8 * size.min())
    }
  }

  @Test("A picture of absurd shape is searched in no more than five squares")
  func absurd() {
    #expect(Square.covering(width: 16384, height: 1).count == 5)
  }
}
