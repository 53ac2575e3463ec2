// One frame as a JPEG file.
import CFFmpeg
import Frames

public enum Photo {
  /// The booth's: at most so many pixels.
  static let size = EncodingSettings(longSide: 1920, shortSide: 1440, scaling: .fit, bitRate: 0, frameRate: 0)

  /// The file's bytes: at most 1920x1440, upright or across, aspect kept, quality 0.9. Throws when memory is short.
  public static func jpeg(of frame: Frame) throws(VideoEncodingError) -> [UInt8] {
    let (width, height) = size.size(width: frame.width, height: frame.height)
    guard let converter = PictureConverter(from: frame, width: width, height: height, scaling: .fit, isFullRange: true)
    else { throw .unsupported(width: frame.width, height: frame.height) }
    var picture = I420Picture(width: width, height: height)
    guard converter.convert(frame, into: &picture) else { throw .failed }
    return try encode(picture)
  }

  private static func encode(_ picture: I420Picture) throws(VideoEncodingError) -> [UInt8] {
    var count = 0
    let file = picture.bytes.withUnsafeBufferPointer { bytes in
      let planes: [UnsafePointer<UInt8>?] = picture.offsets.map { bytes.baseAddress! + $0 }
      return jpeg_encode(
        Int32(picture.width), Int32(picture.height), planes, picture.strides.map(Int32.init), &count)
    }
    guard let file else { throw .failed }
    defer { jpeg_free(file) }
    return Array(UnsafeBufferPointer(start: file, count: count))
  }
}
