// Camera pictures to frames: the owner of CV4L2's decoder.
import CV4L2
import Frames

/// Belongs to one thread at a time.
struct CameraDecoder: ~Copyable {
  private let decoder: OpaquePointer

  /// `nil` without memory.
  init?() {
    guard let decoder = camera_decoder_create() else { return nil }
    self.decoder = decoder
  }

  deinit { camera_decoder_destroy(decoder) }

  /// The picture in the format that costs the least to make; `nil` when it is damaged.
  func frame(of picture: UnsafeRawBufferPointer, _ mode: camera_mode, index: Int, timestamp: Int64) -> Frame? {
    var mode = mode
    let (width, height) = (Int(mode.width), Int(mode.height))
    let layout = camera_layout_of(decoder, &mode, picture.baseAddress, picture.count)
    let format = PixelFormat(layout, isJPEG: camera_is_jpeg(mode.format))
    // JPEG's planes end with whole blocks, 16 pixels wide where chroma has half the columns.
    let bytesPerRow =
      format == .bgr24 ? width * 3 : format.leastBytesPerRow(width: (width + 15) / 16 * 16)
    var isWhole = false
    let frame = Frame(
      index: index, timestamp: timestamp, format: format, width: width, height: height, bytesPerRow: bytesPerRow
    ) { pixels in
      var target = camera_target(
        layout: layout, bytes_per_row: bytesPerRow, pixels: pixels.bindMemory(to: UInt8.self).baseAddress,
        byte_count: pixels.count)
      isWhole =
        camera_decode(decoder, &mode, picture.baseAddress, picture.count, &target) == .CAMERA_DECODED
    }
    return isWhole ? frame : nil
  }
}

extension PixelFormat {
  fileprivate init(_ layout: camera_layout, isJPEG: Bool) {
    let encoding = isJPEG ? ColourEncoding.jpeg : .video
    self =
      switch layout {
      case .CAMERA_BGR24: .bgr24
      case .CAMERA_YUYV: .yuv(.yuyv, encoding)
      case .CAMERA_NV12: .yuv(.nv12, encoding)
      case .CAMERA_I420: .yuv(.i420, encoding)
      case .CAMERA_I422: .yuv(.i422, encoding)
      }
  }
}
