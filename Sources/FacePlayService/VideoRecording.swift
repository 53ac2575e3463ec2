// A session's pictures and gestures into MP4 files, and the gestures beside them.
import FaceGeometry
import Frames
import GestureStream
import Synchronization
import VideoEncoding

/// Live, pictures are encoded by a thread of its own, which gives way to the others and leaves out what it has no time
/// for, so that gestures never wait; otherwise each in its turn. The gesture stream's lines become the text of the
/// picture they were told before, and the file `run.jsonl` beside `run.mp4`. Nothing is made before the first picture.
public final class VideoRecording: Sendable {
  public struct Summary: Sendable, Equatable {
    /// The videos in the order in which they were written: more than one when the pictures changed their size.
    public var files: [String] = []
    /// The first picture's time, nanoseconds; `nil` while there is none.
    public var start: Int64?
    public var frames = 0
    /// Frames for which the encoder had no time.
    public var dropped = 0
    /// In all videos.
    public var bytes: Int64 = 0
  }

  /// Half a second of pictures: a disk or a processor that is busy for a while takes none away.
  private static let mostWaiting = 15
  /// As of `nice`: what recognises gestures goes first.
  private static let niceness: Int32 = 5

  private struct Progress {
    var summary = Summary()
    var failure: (any Error)?
  }

  private struct Picture: Sendable {
    let frame: Frame
    let overlay: GestureOverlay?
  }

  private let showsOverlay: Bool
  private let status = Mutex(LiveStatus())
  private let text = Mutex(RecordingText())
  private let files: Mutex<RecordingFiles>
  private let progress = Mutex(Progress())
  private let waiting = NewestSlot<Picture>(capacity: mostWaiting)
  private let thread = Mutex<WorkerThread?>(nil)
  private let onFile: @Sendable (String) -> Void

  /// Throws `StreamWriteError` where a recording cannot be made or something is there already: better before than after.
  public static func check(_ path: String) throws(StreamWriteError) {
    for file in [path, RecordingFiles.streamPath(path)] { try OutputFile.checkNew(file) }
  }

  /// `path` ends in `.mp4`; when it is taken, by a video or a stream, the next that is free of `run-2.mp4` … is used.
  /// `onFile` hears of each video after the first when it is begun. Throws `EncodingError` as
  /// `StreamRecord.jsonLine()` does.
  public init(
    path: String, header: StreamHeader, settings: EncodingSettings, isLive: Bool, showsOverlay: Bool,
    onFile: @escaping @Sendable (String) -> Void
  ) throws {
    self.showsOverlay = showsOverlay
    self.onFile = onFile
    files = Mutex(RecordingFiles(path: path, settings: settings, header: try StreamRecord.header(header).jsonLine()))
    guard isLive else { return }
    let encoding = WorkerThread("encoding", niceness: Self.niceness) { [self] in
      while let picture = waiting.take() { encode(picture) }
    }
    thread.withLock { $0 = encoding }
  }

  /// Takes the stream's records after the header, from whichever thread tells them.
  public func tell(_ record: StreamRecord) {
    guard progress.withLock({ $0.failure == nil }) else { return }
    text.withLock { $0.add(record) }
    if showsOverlay { status.withLock { $0.add(record) } }
  }

  /// Takes a frame whose records have been told.
  public func add(_ frame: Frame, _ observation: FaceObservation) {
    let overlay =
      showsOverlay
      ? GestureOverlay(status.withLock { $0 }, landmarks: observation.landmarks, frameWidth: frame.width) : nil
    let picture = Picture(frame: frame, overlay: overlay)
    if thread.withLock({ $0 != nil }) { waiting.put(picture) } else { encode(picture) }
  }

  /// What has been told so far, written or not.
  public var told: ClipExport.Summary { text.withLock { $0.told } }

  /// What has been written so far, whatever happened.
  public var written: Summary {
    var summary = progress.withLock { $0.summary }
    summary.dropped = waiting.metrics.framesDropped
    return summary
  }

  /// As `written`; throws the failure that stopped it: `StreamWriteError` or `VideoEncodingError`.
  public func check() throws -> Summary {
    if let failure = progress.withLock({ $0.failure }) { throw failure }
    return written
  }

  /// Closes the files, which can be played whatever happened, and says what they hold: without a picture there are none.
  /// Nothing is taken after. Throws as `check`.
  public func finish() throws -> Summary {
    stop()
    let rest = text.withLock { text in
      text.end()
      return text.take()
    }
    files.withLock { files in
      attempt { () throws in try files.finish(rest) }
      note(files.summary)
    }
    return try check()
  }

  /// Ends it and removes its files.
  func discard() {
    stop()
    files.withLock { $0.discard() }
  }

  private func stop() {
    waiting.close()
    thread.withLock { $0.take() }?.join()
  }

  private func encode(_ picture: Picture) {
    files.withLock { files in
      let known = files.summary.files.count
      attempt { () throws in
        try files.add(picture.frame, text: text.withLock { $0.take() }) { picture.overlay?.paint(on: &$0) }
      }
      note(files.summary)
      if known > 0, files.summary.files.count > known, let file = files.summary.files.last { onFile(file) }
    }
  }

  private func note(_ summary: Summary) { progress.withLock { $0.summary = summary } }

  /// Keeps the first failure, after which nothing is written.
  private func attempt(_ body: () throws -> Void) {
    guard progress.withLock({ $0.failure == nil }) else { return }
    do { try body() } catch { progress.withLock { $0.failure = error } }
  }
}
