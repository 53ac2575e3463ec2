// What a camera offers, and the choice among it.
import Frames
import Glibc

/// How a camera writes its pictures: four characters, as V4L2 names formats.
public struct CameraFormat: Sendable, Hashable, CustomStringConvertible {
  /// V4L2's fourcc.
  public let code: UInt32

  public init(code: UInt32) {
    self.code = code
  }

  /// Of four ASCII characters, such as `MJPG`.
  init(_ name: StaticString) {
    code = name.withUTF8Buffer { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
  }

  public var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> ($0 * 8)) }
    return String(decoding: bytes.map { (0x21...0x7E).contains($0) ? $0 : 0x20 }, as: UTF8.self)
  }
}

/// One side's pixels: a single value, or every `step` between two.
public struct CameraSideRange: Sendable, Hashable {
  public let minimum: Int
  public let maximum: Int
  public let step: Int

  /// Values a driver made up are put in order: at least 1, no step below 1.
  public init(_ minimum: Int, through maximum: Int, by step: Int) {
    self.minimum = max(minimum, 1)
    self.maximum = max(self.minimum, maximum)
    self.step = max(step, 1)
  }

  /// The offered value next to `wanted`.
  func nearest(_ wanted: Int) -> Int {
    let inside = min(max(wanted, minimum), maximum)
    let steps = min((inside - minimum + step / 2) / step, (maximum - minimum) / step)
    return minimum + steps * step
  }
}

/// Sizes in one format, with the rates they come at.
public struct CameraOffer: Sendable, Hashable {
  public let format: CameraFormat
  public let width: CameraSideRange
  public let height: CameraSideRange
  /// Frames a second; empty when the driver does not tell.
  public let rates: [Double]
  /// Compressed as JPEG.
  public let isJPEG: Bool
  /// Whether its pictures can be turned into frames.
  public let isUsable: Bool

  public init(
    format: CameraFormat, width: CameraSideRange, height: CameraSideRange, rates: [Double], isJPEG: Bool, isUsable: Bool
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.rates = rates
    self.isJPEG = isJPEG
    self.isUsable = isUsable
  }
}

/// What a camera is asked for, and what it then does.
public struct CameraMode: Sendable, Equatable {
  public struct Constants {
    /// What a face needs: wider pictures cost time and win nothing (the detector sees 192 pixels of the face).
    public static let wanted = (width: 640, height: 480, rate: 30.0)
    /// A rate half as high weighs as much as 2.5 halvings of the picture's area: 320x240 at 30 frames a second is
    /// better to play with than 640x480 at 15, and 640x480 at 20 better than either.
    static let rateWeight = 2.5
    /// Rate not told: in doubt, one that is told is taken.
    static let unknownRateCost = 0.5
  }

  public let format: CameraFormat
  /// Pixels.
  public let width: Int
  /// Pixels.
  public let height: Int
  /// Frames a second; 0 when not known.
  public let rate: Double

  public init(format: CameraFormat, width: Int, height: Int, rate: Double) {
    self.format = format
    self.width = width
    self.height = height
    self.rate = rate
  }

  /// The usable mode nearest to what is wanted; of equally near ones JPEG, whose pictures need less of the bus. `nil`
  /// when nothing can be used.
  static func best(of offers: [CameraOffer]) -> CameraMode? {
    let candidates = offers.compactMap { offer in mode(of: offer).map { (offer, $0, cost(offer, $0)) } }
    return candidates.min { ($0.2, $0.0.isJPEG ? 0 : 1) < ($1.2, $1.0.isJPEG ? 0 : 1) }?.1
  }

  private static func mode(of offer: CameraOffer) -> CameraMode? {
    let wanted = Constants.wanted
    let (width, height) = (offer.width.nearest(wanted.width), offer.height.nearest(wanted.height))
    // Uncompressed formats share colour between neighbours: an odd width has no defined layout.
    guard offer.isUsable, offer.isJPEG || width % 2 == 0 else { return nil }
    guard width <= Frame.maximumSide, height <= Frame.maximumSide else { return nil }
    return CameraMode(format: offer.format, width: width, height: height, rate: wanted.rate)
  }

  private static func cost(_ offer: CameraOffer, _ mode: CameraMode) -> Double {
    let wanted = Constants.wanted
    let area = Double(mode.width * mode.height) / Double(wanted.width * wanted.height)
    let rate = offer.rates.max().map { Constants.rateWeight * max(log2(wanted.rate / max($0, 0.01)), 0) }
    return abs(log2(area)) + (rate ?? Constants.unknownRateCost)
  }
}
