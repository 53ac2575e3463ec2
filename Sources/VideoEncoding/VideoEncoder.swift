// Pictures to H.264: the owner of openh264's encoder.
import COpenH264

/// Constrained baseline in real time: each picture becomes one access unit before the next comes. A key frame comes
/// first, each second of the pictures' time, and when asked for. Belongs to one thread at a time.
public struct VideoEncoder: ~Copyable {
  /// Luma samples; even.
  public let width: Int
  public let height: Int
  private let encoder: OpaquePointer
  private var frameRate: Double
  private var lastKeyFrame: Int64?
  private var isKeyFrameRequested = false
  /// The first picture's timestamp: the library's clock starts there.
  private var start: Int64?

  /// Even sides from 16 on, bits and frames a second. Throws when the library refuses them.
  public init(width: Int, height: Int, bitRate: Int, frameRate: Double) throws(VideoEncodingError) {
    guard let bits = Int32(exactly: bitRate), let columns = Int32(exactly: width), let rows = Int32(exactly: height),
      let encoder = h264_encoder_open(columns, rows, bits, frameRate)
    else { throw .unsupported(width: width, height: height) }
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.encoder = encoder
  }

  deinit { h264_encoder_close(encoder) }

  /// The next picture will be a key frame.
  public mutating func requestKeyFrame() { isKeyFrameRequested = true }

  /// Bits and frames a second from the next picture on. Throws when the library refuses them; the old ones stay then.
  public mutating func setRates(bitRate: Int, frameRate: Double) throws(VideoEncodingError) {
    guard let bits = Int32(exactly: bitRate), h264_encoder_set_rates(encoder, bits, frameRate) else {
      throw .unsupported(width: width, height: height)
    }
    self.frameRate = frameRate
  }

  /// Encodes a picture of the encoder's size. Timestamps are nanoseconds and rise.
  public mutating func encode(_ picture: I420Picture, at timestamp: Int64) throws(VideoEncodingError) -> AccessUnit {
    precondition(picture.width == width && picture.height == height)
    let origin = start ?? timestamp
    start = origin
    let isDue = isKeyFrameRequested || isKeyFrameDue(at: timestamp)
    var isKeyFrame = false
    let encoder = encoder
    let milliseconds = timestamp.subtractingReportingOverflow(origin).partialValue / 1_000_000
    let bytes = picture.withLibraryPicture { picture in
      let size = h264_encoder_encode(encoder, &picture, milliseconds, isDue, &isKeyFrame)
      return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        if let start = buffer.baseAddress, size > 0 { h264_encoder_copy(encoder, start) }
        count = size
      }
    }
    guard !bytes.isEmpty else { throw .failed }
    if isKeyFrame {
      lastKeyFrame = timestamp
      isKeyFrameRequested = false
    }
    return AccessUnit(bytes: bytes, timestamp: timestamp, isKeyFrame: isKeyFrame)
  }

  /// By the pictures' own time, so that a camera that slows down in the dark keeps its key frames; half a frame early
  /// rather than one late.
  private func isKeyFrameDue(at timestamp: Int64) -> Bool {
    guard let lastKeyFrame else { return true }
    let (passed, overflow) = timestamp.subtractingReportingOverflow(lastKeyFrame)
    return overflow || passed >= EncodingSettings.Limits.keyFrameInterval - Int64(0.5e9 / frameRate)
  }
}

extension I420Picture {
  /// As openh264 takes it, valid only inside `body`.
  fileprivate func withLibraryPicture<Result>(_ body: (inout h264_picture) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      let start = bytes.baseAddress!
      var picture = h264_picture(
        width: Int32(width), height: Int32(height),
        planes: (start + offsets[0], start + offsets[1], start + offsets[2]),
        strides: (Int32(strides[0]), Int32(strides[1])))
      return body(&picture)
    }
  }
}

/// What keeps pictures from being encoded.
public enum VideoEncodingError: Error, Sendable, Equatable, CustomStringConvertible {
  case unsupported(width: Int, height: Int)
  case failed

  public var description: String {
    switch self {
    case .unsupported(let width, let height):
      "pictures of \(width)x\(height) cannot be encoded at these rates; use another camera mode or scale the clip"
    case .failed: "the encoder failed on a picture; free some memory and try again"
    }
  }
}
