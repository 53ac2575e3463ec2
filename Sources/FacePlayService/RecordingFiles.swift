// The MP4 files of one recording: another begins when the pictures change their size.
import Frames
import GestureStream
import Glibc
import VideoEncoding

/// Belongs to one thread at a time. Failures are `StreamWriteError` and `VideoEncodingError`.
struct RecordingFiles: ~Copyable {
  private(set) var summary = VideoRecording.Summary()
  private let path: String
  private let settings: EncodingSettings
  private var encoder: FrameEncoder
  private var writer: MP4Writer?
  private var size = (width: 0, height: 0)
  /// Bytes in the files before the one being written.
  private var finishedBytes: Int64 = 0
  /// Frames that no failure can take back: those before the latest key frame.
  private var keptFrames = 0
  /// The latest frame's.
  private var timestamp: Int64 = 0

  /// Names that are tried for a further file when others are taken.
  private static let mostNames = 1000

  init(path: String, settings: EncodingSettings) {
    self.path = path
    self.settings = settings
    encoder = FrameEncoder(settings)
  }

  /// Writes a frame and the texts told before it; each file begins with the text `header`.
  mutating func add(
    _ frame: Frame, text: [[UInt8]], repeating header: [UInt8], paint: (inout I420Picture) -> Void
  ) throws {
    let unit = try encoder.encode(frame, at: frame.timestamp, paint: paint)
    var text = text
    if writer == nil || encoder.size! != size {
      try begin(with: unit)
      text.insert(header, at: 0)
    }
    timestamp = frame.timestamp
    try write(text)
    try failing { (writer) throws(MP4Writer.Failure) in try writer.add(unit) }
    if unit.isKeyFrame { keptFrames = summary.frames }
    summary.frames += 1
  }

  /// Writes the last texts and closes the file.
  mutating func finish(_ text: [[UInt8]]) throws {
    guard writer != nil else { return }
    try write(text)
    try failing { (writer) throws(MP4Writer.Failure) in try writer.finish() }
    keptFrames = summary.frames
    writer = nil
  }

  private mutating func write(_ text: [[UInt8]]) throws {
    for text in text {
      try failing { [timestamp] (writer) throws(MP4Writer.Failure) in try writer.add(text: text, at: timestamp) }
    }
  }

  private mutating func begin(with unit: AccessUnit) throws {
    try finish([])
    finishedBytes = summary.bytes
    size = encoder.size!
    let next = summary.files.count + 1
    for number in next..<next + Self.mostNames {
      let name = number == 1 ? path : "\(path.dropLast(".mp4".count))-\(number).mp4"
      do throws(MP4Writer.Failure) {
        writer = try MP4Writer(path: name, first: unit, frameRate: settings.frameRate)
        summary.files.append(name)
        return
      } catch {
        // The player's own file is left alone: a further one of ours finds another name.
        if error.code == EEXIST, number > 1 { continue }
        throw StreamWriteError(file: name, code: error.code)
      }
    }
    throw StreamWriteError(file: path, code: EEXIST)
  }

  /// A file that cannot be written on is closed at once, with what it holds.
  private mutating func failing(_ body: (inout MP4Writer) throws(MP4Writer.Failure) -> Void) throws {
    do throws(MP4Writer.Failure) {
      try body(&writer!)
      summary.bytes = finishedBytes + (writer?.size ?? 0)
    } catch {
      writer = nil
      summary.frames = keptFrames
      throw StreamWriteError(file: summary.files.last ?? path, code: error.code)
    }
  }
}
