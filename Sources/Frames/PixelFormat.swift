// How a frame's pixels lie in memory, and what their numbers mean.

/// The layouts and their names are V4L2's (single-plane formats): all planes follow one another in one piece of memory.
public enum PixelFormat: Sendable, Equatable {
  /// 8-bit blue, green, red, interleaved.
  case bgr24
  /// 8-bit luma, and colour differences at half the resolution or less.
  case yuv(ChromaLayout, ColourEncoding)

  /// The fewest bytes that a row of `width` pixels takes.
  public func leastBytesPerRow(width: Int) -> Int {
    switch self {
    case .bgr24: width * 3
    case .yuv(.yuyv, _): (width + 1) / 2 * 4
    case .yuv: (width + 1) / 2 * 2
    }
  }

  /// The rows of `bytesPerRow` bytes that a picture of `height` rows takes, its chroma included.
  public func rows(height: Int) -> Int {
    switch self {
    case .bgr24, .yuv(.yuyv, _): height
    case .yuv(.nv12, _), .yuv(.i420, _): height + (height + 1) / 2
    case .yuv(.i422, _): height * 2
    }
  }
}

/// Where luma and chroma lie. Chroma values belong to the middle of the pixels that share them, as in JPEG (JFIF 1.02) and
/// V4L2. H.264 usually has them half a pixel to the left: to heed that would bring landmarks 0.006 pixels nearer to those
/// of a picture whose pixels all have their own chroma (0.033 instead of 0.039); rounding to bytes moves them by 0.024.
public enum ChromaLayout: Sendable, CaseIterable {
  /// Y Cb Y Cr for each two pixels of a row.
  case yuyv
  /// Luma, then rows of Cb Cr for each two by two pixels, as far apart as luma's.
  case nv12
  /// Luma, then Cb, then Cr for each two by two pixels, in rows half as far apart as luma's: an even number of bytes.
  case i420
  /// As `i420`, for each two pixels of a row.
  case i422
}

/// What luma and chroma mean: ITU-R BT.601 or BT.709.
public struct ColourEncoding: Sendable, Hashable {
  public enum Matrix: Sendable, CaseIterable {
    case bt601, bt709
  }

  public let matrix: Matrix
  /// Black and white are 0 and 255, as in JPEG; otherwise 16 and 235, as in video.
  public let isFullRange: Bool

  public init(_ matrix: Matrix, isFullRange: Bool) {
    self.matrix = matrix
    self.isFullRange = isFullRange
  }

  /// Of webcams' uncompressed pictures, and of video that says nothing else.
  public static let video = ColourEncoding(.bt601, isFullRange: false)
  /// Of JPEG (JFIF).
  public static let jpeg = ColourEncoding(.bt601, isFullRange: true)
}
