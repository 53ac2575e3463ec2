// How pictures are encoded: sizes and rates, and the presets there are.

public struct EncodingSettings: Sendable, Equatable {
  /// What becomes of a picture of another shape.
  public enum Scaling: Sendable {
    /// All of it is kept, upright or across, and nothing is enlarged.
    case fit
    /// Its middle fills the size.
    case fill
  }

  /// Pixels, of the longer and of the shorter side.
  public var longSide: Int
  public var shortSide: Int
  public var scaling: Scaling
  /// Bits a second.
  public var bitRate: Int
  /// Frames a second, 1…60.
  public var frameRate: Double

  public struct Limits {
    /// What the encoder's rate control reckons with.
    static let frameRate = 1.0...60.0
    /// Assumed of a source that does not say.
    static let assumedFrameRate = 30.0
    /// A macroblock: smaller pictures are stretched to it.
    static let smallestSide = 16
    /// Nanoseconds from key frame to key frame: who joins late waits no longer.
    static let keyFrameInterval: Int64 = 1_000_000_000
  }

  /// Of the mirroring booth.
  public enum Quality: String, Sendable, CaseIterable {
    case low, medium, high

    var bitRate: Int {
      switch self {
      case .low: 2_000_000
      case .medium: 4_000_000
      case .high: 6_000_000
      }
    }
  }

  /// The mirroring booth's: up to 1920x1080 at 24, 30 or 60 frames a second. A source that states no rate has 0.
  public static func booth(_ quality: Quality = .high, frameRate: Double = 30) -> EncodingSettings {
    let stated = frameRate.isFinite && frameRate > 0 ? frameRate : Limits.assumedFrameRate
    return EncodingSettings(
      longSide: 1920, shortSide: 1080, scaling: .fit, bitRate: quality.bitRate,
      frameRate: min(max(stated, Limits.frameRate.lowerBound), Limits.frameRate.upperBound))
  }

  /// The other player's picture in a corner of the game.
  public static let pictureInPicture = EncodingSettings(
    longSide: 192, shortSide: 192, scaling: .fill, bitRate: 400_000, frameRate: 60)
  /// Bits a second of a picture in picture over a slow network.
  public static let slowPictureInPictureBitRate = 100_000

  /// Even sides of the encoded picture.
  func size(width: Int, height: Int) -> (width: Int, height: Int) {
    if scaling == .fill { return width >= height ? (longSide, shortSide) : (shortSide, longSide) }
    let scale = min(
      1, Double(longSide) / Double(max(width, height)), Double(shortSide) / Double(min(width, height)))
    func side(_ pixels: Int) -> Int { max(Int(Double(pixels) * scale) / 2 * 2, Limits.smallestSide) }
    return (side(width), side(height))
  }
}
