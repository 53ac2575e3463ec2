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
    let path = path("run", ".mp4")
    // Better now than with the first picture.
    _ = try OutputFile(path: path)
    let recording = try VideoRecording(
      path: path, header: feed.header(profile: profile), settings: .booth(.low, frameRate: feed.source.fps),
      isLive: true, showsOverlay: false
    ) { _ in }
    state.withLock { $0.recording = recording }
  }

  func tell(_ record: StreamRecord) {
    // The session's end counts more than this recording's frames, which tells its own.
    if case .end = record { return }
    state.withLock { $0.recording }?.tell(record)
  }

  /// Takes a frame whose records have been told. Returns a photo's file if one was wanted; throws what kept it.
  func add(_ frame: Frame, _ observation: FaceObservation) throws -> String? {
    let (recording, wantsPhoto) = state.withLock { state in
      defer { state.wantsPhoto = false }
      return (state.recording, state.wantsPhoto)
    }
    recording?.add(frame, observation)
    guard wantsPhoto else { return nil }
    let path = path("photo", ".jpg")
    let file = try OutputFile(path: path)
    try file.write(try Photo.jpeg(of: frame))
    try file.commit()
    return path
  }

  /// Throws what has stopped the recording that is under way.
  func check() throws { _ = try state.withLock { $0.recording }?.check() }

  /// Of the next frame.
  func takePhoto() { state.withLock { $0.wantsPhoto = true } }

  /// Returns the file; `nil` when nothing was recorded. Throws what kept it from being whole.
  func finish() throws -> String? {
    let recording = state.withLock { state in
      defer { state.recording = nil }
      return state.recording
    }
    return try recording?.finish().files.first
  }

  /// A name that is not taken.
  private func path(_ kind: String, _ ending: String) -> String {
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      strftime(buffer.baseAddress!, 32, "%Y-%m-%d-%H%M%S", &parts)
      return String(cString: buffer.baseAddress!)
    }
    return NumberedNames("\(folder)/\(kind)-\(text)\(ending)").firstFree
  }
}
