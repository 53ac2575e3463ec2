// One picture from a source, with its time.

/// How a frame's pixels lie in memory.
public enum PixelFormat: Sendable {
  /// 8-bit blue, green, red, interleaved.
  case bgr24
}

/// A picture as a camera or clip delivered it: never mirrored, upright (a clip's rotation is applied when it is read).
public struct Frame: Sendable {
  /// The frame's number as its source counts them, from 0; dropped frames leave gaps.
  public let index: Int
  /// Nanoseconds: CLOCK_MONOTONIC for cameras, media time from the clip's first frame for clips.
  public let timestamp: Int64
  public let format: PixelFormat
  /// Pixels.
  public let width: Int
  /// Pixels.
  public let height: Int
  public let bytesPerRow: Int
  private let storage: PixelStorage

  /// Takes `bytesPerRow * height` bytes that `fill` writes; throws what `fill` throws.
  public init(
    index: Int, timestamp: Int64, format: PixelFormat, width: Int, height: Int, bytesPerRow: Int,
    fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) rethrows {
    precondition(width > 0 && height > 0 && bytesPerRow >= width * 3)
    self.index = index
    self.timestamp = timestamp
    self.format = format
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
    storage = PixelStorage(byteCount: bytesPerRow * height)
    try fill(storage.bytes)
  }

  /// The pixels' bytes, valid only inside `body`.
  public func withPixels<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(storage.bytes))
  }
}

/// Owns one frame's memory. Written only while its frame is being made, read-only after: safe to share.
private final class PixelStorage: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: 64)
  }

  deinit { bytes.deallocate() }
}
