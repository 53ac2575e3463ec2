// The files of one recording: its videos, another when the pictures change their size, and beside the first the stream.
import Frames
import GestureStream
import Glibc
import VideoEncoding

/// Belongs to one thread at a time. Failures are `StreamWriteError` and `VideoEncodingError`; after one nothing more is
/// written, and what there is of each file is kept.
struct RecordingFiles: ~Copyable {
  private(set) var summary = VideoRecording.Summary()
  private let path: String
  private let settings: EncodingSettings
  /// The stream's first line: each file begins with it.
  private let header: [UInt8]
  private var encoder: FrameEncoder
  private var writer: MP4Writer?
  private var stream: OutputFile?
  private var size = (width: 0, height: 0)
  /// Bytes in the files before the one being written.
  private var finishedBytes: Int64 = 0
  /// Frames that no failure can take back: those before the latest key frame.
  private var keptFrames = 0
  /// The latest frame's.
  private var timestamp: Int64 = 0

  /// Names that are tried for a file when others are taken.
  private static let mostNames = 1000

  init(path: String, settings: EncodingSettings, header: [UInt8]) {
    self.path = path
    self.settings = settings
    self.header = header
    encoder = FrameEncoder(settings)
  }

  /// `run.jsonl` for `run.mp4`.
  static func streamPath(_ path: String) -> String { path.dropLast(".mp4".count) + ".jsonl" }

  /// Writes a frame and the texts told before it; the first one makes the files.
  mutating func add(_ frame: Frame, text: [[UInt8]], paint: (inout I420Picture) -> Void) throws {
    let unit = try encode(frame, paint)
    timestamp = frame.timestamp
    if writer == nil || encoder.size! != size {
      do {
        try begin(with: unit)
      } catch {
        close()
        throw error
      }
    }
    try write(text)
    // As the video, it outlives a process that is killed but for its last second, and is never behind it.
    if unit.isKeyFrame { try onStream { (stream) throws(StreamWriteError) in try stream.flush() } }
    try onVideo { (writer) throws(MP4Writer.Failure) in try writer.add(unit) }
    if unit.isKeyFrame { keptFrames = summary.frames }
    summary.frames += 1
  }

  /// Writes the last texts and closes the files, of which there are none when there was no frame.
  mutating func finish(_ text: [[UInt8]]) throws {
    guard writer != nil else { return }
    try write(text)
    try finishVideo()
    try onStream { (stream) throws(StreamWriteError) in try stream.commit() }
    stream = nil
  }

  /// Closes the files and removes them.
  mutating func discard() {
    close()
    for file in summary.files { unlink(file) }
    if let first = summary.files.first { unlink(Self.streamPath(first)) }
  }

  private mutating func encode(_ frame: Frame, _ paint: (inout I420Picture) -> Void) throws -> AccessUnit {
    do throws(VideoEncodingError) {
      return try encoder.encode(frame, at: frame.timestamp, paint: paint)
    } catch {
      try finish([])
      throw error
    }
  }

  private mutating func begin(with unit: AccessUnit) throws {
    if writer != nil { try finishVideo() }
    finishedBytes = summary.bytes
    size = encoder.size!
    let taken = summary.files.count
    for name in NumberedNames(path).lazy.dropFirst(taken).prefix(Self.mostNames) where try make(name, with: unit) {
      summary.files.append(name)
      if summary.start == nil { summary.start = unit.timestamp }
      if taken == 0 { try onStream { [header] (stream) throws(StreamWriteError) in try stream.write(header) } }
      return try writeToVideo(header)
    }
    throw StreamWriteError(file: path, code: EEXIST)
  }

  /// Makes a video, the first with its stream; `false` when the name is taken: the player's own files are left alone.
  private mutating func make(_ name: String, with unit: AccessUnit) throws(StreamWriteError) -> Bool {
    do throws(MP4Writer.Failure) {
      writer = try MP4Writer(path: name, first: unit, frameRate: settings.frameRate)
    } catch {
      if error.code == EEXIST { return false }
      throw StreamWriteError(file: name, code: error.code)
    }
    guard summary.files.isEmpty else { return true }
    do throws(StreamWriteError) {
      stream = try OutputFile(growing: Self.streamPath(name))
      return true
    } catch {
      writer = nil
      unlink(name)
      if error.kind == .exists { return false }
      throw error
    }
  }

  private mutating func write(_ text: [[UInt8]]) throws {
    for text in text {
      try onStream { (stream) throws(StreamWriteError) in try stream.write(text) }
      try writeToVideo(text)
    }
  }

  private mutating func writeToVideo(_ text: [UInt8]) throws {
    try onVideo { [timestamp] (writer) throws(MP4Writer.Failure) in try writer.add(text: text, at: timestamp) }
  }

  private mutating func finishVideo() throws {
    try onVideo { (writer) throws(MP4Writer.Failure) in try writer.finish() }
    keptFrames = summary.frames
    writer = nil
  }

  /// A failure closes the files.
  private mutating func onVideo(_ body: (inout MP4Writer) throws(MP4Writer.Failure) -> Void) throws {
    do throws(MP4Writer.Failure) {
      try body(&writer!)
      summary.bytes = finishedBytes + (writer?.size ?? 0)
    } catch {
      close()
      throw StreamWriteError(file: summary.files.last ?? path, code: error.code)
    }
  }

  /// As `onVideo`.
  private mutating func onStream(_ body: (OutputFile) throws(StreamWriteError) -> Void) throws {
    do throws(StreamWriteError) {
      try body(stream!)
    } catch {
      close()
      throw error
    }
  }

  /// As they are.
  private mutating func close() {
    if writer != nil { summary.frames = keptFrames }
    writer = nil
    try? stream?.commit()
    stream = nil
  }
}
