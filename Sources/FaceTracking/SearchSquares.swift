// Which parts of a picture the detector is shown: it sees 128x128 pixels, too few for a small face in a wide picture.

/// A square part of a picture, which may reach beyond its edges; pixels.
struct Square: Equatable, Sendable {
  let centre: SIMD2<Float>
  let side: Float

  /// The whole picture for large faces, and, unless it is square, parts as high as the picture for small ones. The parts
  /// overlap by a fifth of their side: a face too large to be whole in one of them is seen in the whole picture. A
  /// picture more than 3.4 times as wide as high has gaps between the parts.
  static func covering(width: Int, height: Int) -> [Square] {
    let pictureSize = SIMD2(Float(width), Float(height))
    let (long, short) = (pictureSize.max(), pictureSize.min())
    let whole = Square(centre: pictureSize / 2, side: long)
    let steps = min(((long / short - 1) / 0.8).rounded(.up), 3)
    guard steps > 0 else { return [whole] }
    let firstCentre = SIMD2(repeating: short / 2)
    let parts = stride(from: 0, through: steps, by: 1).map { step in
      Square(centre: firstCentre + (pictureSize - short) * (step / steps), side: short)
    }
    return [whole] + parts
  }
}
