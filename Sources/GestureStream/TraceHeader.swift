// A landmark trace's first line, and the layout of the records after it.
import FoundationEssentials

/// Landmark traces (`faceplay.landmarks/1`, `.fplm`) hold what a tracker saw, without pictures: this header as a line
/// of JSON, then fixed-size little-endian records.
public struct TraceHeader: Sendable, Equatable {
  /// Of the frames, in pixels, 1…65535.
  public let width: Int
  /// Of the frames, in pixels, 1…65535.
  public let height: Int
  /// Nominal frames per second; 0 when not known.
  public let fps: Double
  /// Steps per pixel, 1…32767.
  public let scale: Int

  static let schema = "faceplay.landmarks/1"
  static let scales = 1...Int(Int16.max)
  /// A sixteenth of a pixel, as in the schema's example.
  static let finestScale = 16

  /// The scale is the finest power of two that keeps twice the frame's longer side in range, so that points may leave
  /// the frame.
  public init(width: Int, height: Int, fps: Double) {
    let reach = 2 * max(width, height).held(in: StreamLimits.pixels)
    var scale = Self.finestScale
    while scale > 1, reach * scale > Int16.max { scale /= 2 }
    self.init(width: width, height: height, fps: fps, scale: scale)
  }

  init(width: Int, height: Int, fps: Double, scale: Int) {
    self.width = width
    self.height = height
    self.fps = fps
    self.scale = scale
  }
}
