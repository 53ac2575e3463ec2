// One picture from a source, with its time.

/// A picture as a camera or clip delivered it: never mirrored, upright (a clip's rotation is applied when it is read).
public struct Frame: Sendable {
  /// Pixels; sources refuse longer sides.
  public static let maximumSide = 8192

  /// The frame's number as its source counts them, from 0; dropped frames leave gaps.
  public private(set) var index: Int
  /// Nanoseconds: CLOCK_MONOTONIC from live sources (a camera, a clip in real time); from a clip read as fast as
  /// possible, media time since its first frame.
  public private(set) var timestamp: Int64
  public let format: PixelFormat
  /// Pixels.
  public let width: Int
  /// Pixels.
  public let height: Int
  /// From one row's first byte to the next row's; `PixelFormat` says which planes it is about.
  public let bytesPerRow: Int
  private let storage: PixelStorage

  /// Takes `bytesPerRow * format.rows(height:)` bytes that `fill` writes; throws what `fill` throws.
  public init(
    index: Int, timestamp: Int64, format: PixelFormat, width: Int, height: Int, bytesPerRow: Int,
    fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) rethrows {
    precondition(width > 0 && height > 0 && bytesPerRow >= format.leastBytesPerRow(width: width))
    self.index = index
    self.timestamp = timestamp
    self.format = format
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
    storage = PixelStorage(byteCount: bytesPerRow * format.rows(height: height))
    try fill(storage.bytes)
  }

  /// The same picture at another time; the pixels are shared.
  public func retimed(to timestamp: Int64) -> Frame {
    var frame = self
    frame.timestamp = timestamp
    return frame
  }

  /// The same picture with another number; the pixels are shared.
  public func numbered(_ index: Int) -> Frame {
    var frame = self
    frame.index = index
    return frame
  }

  /// The pixels' bytes, valid only inside `body`.
  public func withPixels<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(storage.bytes))
  }
}

/// Owns one frame's memory. Written only while its frame is being made, read-only after: safe to share.
///
/// There is no pool: glibc keeps freed blocks of this size, so that a 640x480 frame costs 1 to 36 page faults on average
/// where fresh memory would cost 225 (measured over an 840-frame clip).
private final class PixelStorage: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: 64)
  }

  deinit { bytes.deallocate() }
}
