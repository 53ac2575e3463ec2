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
  private let region: Region

  /// Pixels.
  fileprivate struct Region {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
  }

  /// `nil` when the sizes are beyond what can be scaled, or memory is short. The target's sides are even.
  init?(from frame: Frame, width: Int, height: Int, scaling: EncodingSettings.Scaling, isFullRange: Bool = false) {
    let region =
      scaling == .fill
      ? Region(middleOf: frame, shape: (width, height))
      : Region(x: 0, y: 0, width: frame.width, height: frame.height)
    var source = picture_source(frame.format, width: region.width, height: region.height)
    guard let scaler = picture_scaler_open(&source, Int32(width), Int32(height), isFullRange) else { return nil }
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
    let sources = sources(of: frame)
    return frame.withPixels { pixels in
      picture.bytes.withUnsafeMutableBufferPointer { bytes in
        let start = pixels.baseAddress!.assumingMemoryBound(to: UInt8.self)
        var from: [UnsafePointer<UInt8>?] = [nil, nil, nil]
        for (index, source) in sources.enumerated() { from[index] = start + source.offset }
        let fromStrides = (0..<3).map { $0 < sources.count ? Int32(sources[$0].stride) : 0 }
        let planes: [UnsafeMutablePointer<UInt8>?] = offsets.map { bytes.baseAddress! + $0 }
        return picture_scaler_scale(scaler, from, fromStrides, planes, strides)
      }
    }
  }

  /// Where in a frame's bytes each plane of the region begins, and how far apart its rows are.
  private func sources(of frame: Frame) -> [(offset: Int, stride: Int)] {
    let (row, luma) = (frame.bytesPerRow, frame.bytesPerRow * frame.height)
    let (x, y) = (region.x, region.y)
    switch frame.format {
    case .bgr24: return [(y * row + x * 3, row)]
    case .yuv(.yuyv, _): return [(y * row + x * 2, row)]
    case .yuv(.nv12, _): return [(y * row + x, row), (luma + y / 2 * row + x, row)]
    case .yuv(.i420, _):
      let start = luma + y / 2 * (row / 2) + x / 2
      return [(y * row + x, row), (start, row / 2), (start + (frame.height + 1) / 2 * (row / 2), row / 2)]
    case .yuv(.i422, _):
      let start = luma + y * (row / 2) + x / 2
      return [(y * row + x, row), (start, row / 2), (start + luma / 2, row / 2)]
    }
  }
}

extension PictureConverter.Region {
  /// A frame's middle in another shape, beginning where chroma does.
  fileprivate init(middleOf frame: Frame, shape: (width: Int, height: Int)) {
    width = max(min(frame.width, frame.height * shape.width / shape.height), 1)
    height = max(min(frame.height, frame.width * shape.height / shape.width), 1)
    x = (frame.width - width) / 4 * 2
    y = (frame.height - height) / 4 * 2
  }
}

extension picture_source {
  fileprivate init(_ format: PixelFormat, width: Int, height: Int) {
    var (layout, isBT709, isFullRange) = (picture_layout.PICTURE_BGR24, false, false)
    if case .yuv(let chroma, let encoding) = format {
      (isBT709, isFullRange) = (encoding.matrix == .bt709, encoding.isFullRange)
      layout =
        switch chroma {
        case .yuyv: .PICTURE_YUYV
        case .nv12: .PICTURE_NV12
        case .i420: .PICTURE_I420
        case .i422: .PICTURE_I422
        }
    }
    self.init(
      layout: layout, is_bt709: isBT709, is_full_range: isFullRange, width: Int32(width), height: Int32(height))
  }
}
