// Frames of any size to H.264: conversion and encoder together.
import Frames

/// Takes a source's frames as they are; when their size changes, so does the encoded one, beginning with a key frame.
/// Belongs to one thread at a time.
public struct FrameEncoder: ~Copyable {
  private let settings: EncodingSettings
  private var converter: PictureConverter?
  private var encoder: VideoEncoder?
  private var picture: I420Picture?

  public init(_ settings: EncodingSettings) {
    self.settings = settings
  }

  /// Pixels of the pictures encoded last; `nil` before the first.
  public var size: (width: Int, height: Int)? { picture.map { ($0.width, $0.height) } }

  /// `paint` may draw on the picture before it is encoded; `timestamp` is in nanoseconds and rises.
  public mutating func encode(
    _ frame: Frame, at timestamp: Int64, paint: (inout I420Picture) -> Void = { _ in }
  ) throws(VideoEncodingError) -> AccessUnit {
    if converter?.takes(frame) != true { try prepare(for: frame) }
    guard converter!.convert(frame, into: &picture!) else { throw .failed }
    paint(&picture!)
    return try encoder!.encode(picture!, at: timestamp)
  }

  private mutating func prepare(for frame: Frame) throws(VideoEncodingError) {
    let size = settings.size(width: frame.width, height: frame.height)
    converter = PictureConverter(from: frame, width: size.width, height: size.height, scaling: settings.scaling)
    guard converter != nil else { throw .unsupported(width: frame.width, height: frame.height) }
    if let old = picture, (old.width, old.height) == size { return }
    picture = I420Picture(width: size.width, height: size.height)
    encoder = try VideoEncoder(
      width: size.width, height: size.height, bitRate: settings.bitRate, frameRate: settings.frameRate)
  }
}
