// H.264 and text as a fragmented MP4: the owner of CFFmpeg's writer.
import CFFmpeg
import Glibc

/// A file that can be played at any moment, up to its last whole second, whatever becomes of this process. Times are
/// from its first picture on. Belongs to one thread at a time.
public struct MP4Writer: ~Copyable {
  /// How a file could not be written.
  public struct Failure: Error, Sendable, Equatable {
    /// Its `errno`.
    public let code: Int32
  }

  private let writer: OpaquePointer
  private let start: Int64
  /// How long the last picture is shown: nanoseconds.
  private let frameDuration: Int64

  /// Makes the file, which must not exist yet. `first` is the key frame it will begin with; `frameRate` says how long
  /// the last picture is shown. A failure leaves no file.
  public init(path: String, first: AccessUnit, frameRate: Double) throws(Failure) {
    guard let configuration = try? AVCConfiguration(AnnexB.units(in: first.bytes)) else { throw Failure(code: EINVAL) }
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw Failure(code: errno) }
    let (avcc, sequence) = (configuration.bytes, configuration.sequence)
    var opened: OpaquePointer?
    let status = mp4_open(file, Int32(sequence.width), Int32(sequence.height), avcc, avcc.count, &opened)
    guard let opened else {
      unlink(path)
      throw Failure(code: status)
    }
    writer = opened
    start = first.timestamp
    frameDuration = Int64(1e9 / frameRate)
  }

  deinit { mp4_close(writer) }

  /// Bytes in the file.
  public var size: Int64 { mp4_size(writer) }

  /// Parameter sets are left out: the file has them at its beginning.
  public mutating func add(_ unit: AccessUnit) throws(Failure) {
    let bytes = AVCC.bytes(
      of: AnnexB.units(in: unit.bytes).filter { unit in
        switch unit.kind {
        case .sequenceParameters, .pictureParameters, .delimiter: false
        default: true
        }
      })
    try check(mp4_add_picture(writer, bytes, bytes.count, unit.timestamp - start, frameDuration, unit.isKeyFrame))
  }

  /// Text for the picture at `timestamp`, shown as long as a frame. Longer than 65 535 bytes is refused as `EINVAL`.
  public mutating func add(text: [UInt8], at timestamp: Int64) throws(Failure) {
    guard text.count <= UInt16.max else { throw Failure(code: EINVAL) }
    try check(mp4_add_text(writer, text, text.count, timestamp - start, frameDuration))
  }

  /// Writes what is left and brings the file to the disk; nothing can be added after.
  public mutating func finish() throws(Failure) { try check(mp4_finish(writer)) }

  private func check(_ status: Int32) throws(Failure) {
    guard status == 0 else { throw Failure(code: status) }
  }
}
