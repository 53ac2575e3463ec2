// H.264 to pictures: the owner of openh264's decoder.
import COpenH264

/// Decodes each access unit when it comes. Belongs to one thread at a time.
public struct VideoDecoder: ~Copyable {
  /// Whether pictures are held back until the next key frame: at the beginning, and after damage.
  public private(set) var awaitsKeyFrame = true
  private let decoder: OpaquePointer

  /// Throws `outOfMemory`.
  public init() throws(H264Error) {
    guard let decoder = h264_decoder_open() else { throw .outOfMemory }
    self.decoder = decoder
  }

  deinit { h264_decoder_close(decoder) }

  /// Any bytes are taken: one access unit in Annex B is what makes sense. `nil` when it holds no picture, or none that
  /// could be right before a key frame. Throws `H264Error`; a key frame is awaited then.
  public mutating func decode(_ bytes: [UInt8]) throws(H264Error) -> I420Picture? {
    do {
      return try decodeUnits(bytes)
    } catch {
      awaitsKeyFrame = true
      throw error
    }
  }

  private mutating func decodeUnits(_ bytes: [UInt8]) throws(H264Error) -> I420Picture? {
    let units = AnnexB.units(in: bytes)
    // The library takes memory by what these say.
    for unit in units where unit.kind == .sequenceParameters { _ = try SequenceParameterSet(unit) }
    guard !awaitsKeyFrame || units.contains(where: { $0.kind == .keySlice }) else { return nil }
    guard !units.isEmpty else { return nil }
    var picture = h264_picture()
    switch h264_decoder_decode(decoder, bytes, bytes.count, &picture) {
    case .H264_DAMAGED: throw .damaged
    case .H264_NOTHING: return nil
    case .H264_PICTURE:
      guard let copy = I420Picture(copying: picture) else { throw .unsupported("a picture with odd sides") }
      awaitsKeyFrame = false
      return copy
    }
  }
}

extension I420Picture {
  /// `nil` unless the sides are even.
  fileprivate init?(copying picture: h264_picture) {
    let (width, height) = (Int(picture.width), Int(picture.height))
    guard width > 0, height > 0, width % 2 == 0, height % 2 == 0 else { return nil }
    self.init(width: width, height: height)
    let sources = [picture.planes.0, picture.planes.1, picture.planes.2]
    let sourceStrides = [picture.strides.0, picture.strides.1, picture.strides.1].map(Int.init)
    for plane in Plane.allCases {
      guard let source = sources[plane.rawValue] else { return nil }
      let size = size(of: plane)
      for row in 0..<size.height {
        let start = offsets[plane.rawValue] + row * strides[plane.rawValue]
        let samples = UnsafeBufferPointer(start: source + row * sourceStrides[plane.rawValue], count: size.width)
        bytes.replaceSubrange(start..<start + size.width, with: samples)
      }
    }
  }
}
