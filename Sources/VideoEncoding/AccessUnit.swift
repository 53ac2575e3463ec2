// One encoded picture.

/// Whole when it comes: nobody waits for the next one to know where this one ends.
public struct AccessUnit: Sendable, Equatable {
  /// Annex B; each NAL unit after a start code of four bytes.
  public let bytes: [UInt8]
  /// The picture's, nanoseconds.
  public let timestamp: Int64
  /// An IDR picture, with its parameter sets before it: decoding can begin here.
  public let isKeyFrame: Bool

  public init(bytes: [UInt8], timestamp: Int64, isKeyFrame: Bool) {
    self.bytes = bytes
    self.timestamp = timestamp
    self.isKeyFrame = isKeyFrame
  }
}
