// Videos and photos that a page asks for.
import FaceGeometry
import FoundationEssentials
import Frames
import GestureStream
import Gestures
import Glibc
import Synchronization
import VideoEncoding

/// In `$XDG_DATA_HOME/faceplay/recordings`, named by date and time. From any thread.
final class Recordings: Sendable {
  private struct State {
    var recording: VideoRecording?
    var writer: RecordWriter?
    var wantsPhoto = false
  }

  private let feed: any ObservationFeed
  let folder: String
  private let state = Mutex(State())

  init(feed: any ObservationFeed, folder: String) {
    self.feed = feed
    self.folder = folder
  }

  static func folder(beside profiles: String) -> String {
    URL(filePath: profiles).deletingLastPathComponent().appending(path: "recordings").path(percentEncoded: false)
  }

  var isRecording: Bool { state.withLock { $0.recording != nil } }

  /// Throws `StreamWriteError`; does nothing while it records.
  func begin(_ profile: Profile) throws {
    guard !isRecording else { return }
    let path = try path("run")
    let header = feed.header(profile: profile)
    let writer = try RecordWriter(
      path: path + ".jsonl", format: .jsonl, header: header, cancellation: Cancellation())
    let recording = VideoRecording(
      path: path + ".mp4", settings: .booth(.low, frameRate: feed.source.fps), isLive: true, showsOverlay: false
    ) { _ in }
    recording.tell(.header(header))
    state.withLock { ($0.recording, $0.writer) = (recording, writer) }
  }

  func tell(_ record: StreamRecord) {
    let (recording, writer) = state.withLock { ($0.recording, $0.writer) }
    recording?.tell(record)
    writer?.write(record)
  }

  /// Takes a frame whose records have been told. Returns a photo's file if one was wanted; throws what kept it.
  func add(_ frame: Frame, _ observation: FaceObservation) throws -> String? {
    let (recording, wantsPhoto) = state.withLock { state in
      defer { state.wantsPhoto = false }
      return (state.recording, state.wantsPhoto)
    }
    recording?.add(frame, observation)
    guard wantsPhoto else { return nil }
    let path = try path("photo") + ".jpg"
    let file = try OutputFile(path: path)
    try file.write(try Photo.jpeg(of: frame))
    try file.commit()
    return path
  }

  /// Throws what has stopped the recording that is under way.
  func check() throws {
    let (recording, writer) = state.withLock { ($0.recording, $0.writer) }
    _ = try recording?.check()
    try writer?.check()
  }

  /// Of the next frame.
  func takePhoto() { state.withLock { $0.wantsPhoto = true } }

  /// Returns the file; `nil` when nothing was recorded. Throws what kept it from being whole.
  func finish() throws -> String? {
    let (recording, writer) = state.withLock { state in
      defer { (state.recording, state.writer) = (nil, nil) }
      return (state.recording, state.writer)
    }
    guard let recording else { return nil }
    // What there is of either file is kept, whatever became of the other.
    let video = Result { try recording.finish() }
    let stream = Result { try writer?.commit() }
    let file = try video.get().files.first
    _ = try stream.get()
    return file
  }

  /// A name that is not taken, without its type.
  private func path(_ kind: String) throws -> String {
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      strftime(buffer.baseAddress!, 32, "%Y-%m-%d-%H%M%S", &parts)
      return String(cString: buffer.baseAddress!)
    }
    let stem = "\(folder)/\(kind)-\(text)"
    let isTaken = { (stem: String) in [".mp4", ".jpg"].contains { access(stem + $0, F_OK) == 0 } }
    return (1...1000).lazy.map { $0 == 1 ? stem : "\(stem)-\($0)" }.first { !isTaken($0) } ?? stem
  }
}
