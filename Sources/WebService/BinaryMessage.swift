// The head of binary messages: what follows, of which stream, at what time.

/// Twelve bytes, little-endian: uint8 kind, uint8 flags, uint16 stream, int64 time.
struct BinaryHead {
  enum Kind: UInt8 {
    /// An H.264 access unit in Annex B follows.
    case video = 1
    /// Landmarks follow: int16 x and y of each, 16384 to the picture's width and height.
    case landmarks = 2
  }

  static let keyFrame: UInt8 = 1
  /// int16 holds ±2 pictures: points of a face at the edge lie outside.
  static let landmarkScale: Float = 16_384

  var kind: Kind
  var flags: UInt8 = 0
  var stream: UInt16
  /// Nanoseconds, on the same clock as the gesture stream's `t`.
  var time: Int64

  var bytes: [UInt8] {
    [kind.rawValue, flags] + Self.littleEndian(stream) + Self.littleEndian(time)
  }

  /// Coordinates in pictures' widths and heights; what is no number is 0.
  static func landmarkBytes(_ points: [SIMD2<Float>]) -> [UInt8] {
    points.flatMap { littleEndian(fixed($0.x)) + littleEndian(fixed($0.y)) }
  }

  private static func fixed(_ value: Float) -> Int16 {
    value.isNaN ? 0 : Int16(min(max(value * landmarkScale, -32_768), 32_767))
  }

  private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
