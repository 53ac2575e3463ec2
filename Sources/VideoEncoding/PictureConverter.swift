// A source's frame into the picture that is encoded: the one place that knows pixel formats.
import CFFmpeg
import Frames

/// Converts and scales frames of one size and format. Belongs to one thread at a time.
struct PictureConverter: ~Copyable {
  private let scaler: OpaquePointer
  private let sourceWidth: Int
  private let sourceHeight: Int
  private let format: PixelFormat
  /// The part of the source that is seen.
  private let region: (x: Int, y: Int, width: Int, height: Int)

  /// `nil` when the sizes are beyond what can be scaled, or memory is short. The target's sides are even.
  init?(from frame: Frame, width: Int, height: Int, scaling: EncodingSettings.Scaling, isFullRange: Bool = false) {
    let region = Self.region(of: frame, shape: (width, height), scaling)
    guard
      let scaler = picture_scaler_open(
        Int32(region.width), Int32(region.height), Int32(width), Int32(height), isFullRange)
    else { return nil }
    self.scaler = scaler
    self.region = region
    (sourceWidth, sourceHeight, format) = (frame.width, frame.height, frame.format)
  }

  deinit { picture_scaler_close(scaler) }

  func takes(_ frame: Frame) -> Bool {
    frame.width == sourceWidth && frame.height == sourceHeight && frame.format == format
  }

  /// Overwrites `picture`, which has the size asked for; `false` when the library refuses.
  func convert(_ frame: Frame, into picture: inout I420Picture) -> Bool {
    let strides = picture.strides.map(Int32.init)
    let offsets = picture.offsets
    return frame.withPixels { pixels in
      picture.bytes.withUnsafeMutableBufferPointer { bytes in
        let planes: [UnsafeMutablePointer<UInt8>?] = offsets.map { bytes.baseAddress! + $0 }
        switch format {
        case .bgr24:
          let start = pixels.baseAddress!.assumingMemoryBound(to: UInt8.self)
          return picture_scaler_scale(
            scaler, start + region.y * frame.bytesPerRow + region.x * 3, frame.bytesPerRow, planes, strides)
        }
      }
    }
  }

  /// All of the frame, or its middle in the target's shape.
  private static func region(
    of frame: Frame, shape: (width: Int, height: Int), _ scaling: EncodingSettings.Scaling
  ) -> (x: Int, y: Int, width: Int, height: Int) {
    guard scaling == .fill else { return (0, 0, frame.width, frame.height) }
    let width = max(min(frame.width, frame.height * shape.width / shape.height), 1)
    let height = max(min(frame.height, frame.width * shape.height / shape.width), 1)
    return ((frame.width - width) / 2, (frame.height - height) / 2, width, height)
  }
}
