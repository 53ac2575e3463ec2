// Where the runs of a session are kept: alone, or on video.
import Capture
import CosmicAdventure
import FaceGeometry
import Frames
import GestureStream
import Synchronization

/// The first run goes to the file that was named, each further one to the next that is free of `run-2`, `run-3` …
public final class RunFiles: Sendable {
  private let path: String
  /// `nil` where runs are kept alone.
  private let videos: RunVideos?
  private let onSaved: @Sendable (String) -> Void
  private let onFailure: @Sendable () -> Void
  private let failure = Mutex<(any Error)?>(nil)

  /// A name that ends in `.mp4` is for videos with runs in them, any other for runs alone. `onSaved` hears of each file
  /// that is whole, `onFailure` of each run that could not be kept, or whose video has failed. Throws `CaptureError` for a
  /// video of a source without pictures.
  public init(
    path: String, header: StreamHeader, onSaved: @escaping @Sendable (String) -> Void = { _ in },
    onFailure: @escaping @Sendable () -> Void
  ) throws {
    self.path = path
    self.onSaved = onSaved
    self.onFailure = onFailure
    guard Self.isVideo(path) else {
      videos = nil
      return
    }
    guard header.source.kind != .trace else { throw CaptureError.noVideoStream(path: header.source.name) }
    videos = RunVideos(path: path, header: header, onSaved: onSaved, onFailure: onFailure)
  }

  /// Throws `StreamWriteError` where nothing can be written or something is there already: better before than after.
  public static func check(_ path: String) throws(StreamWriteError) {
    if isVideo(path) { try VideoRecording.check(path) } else { try OutputFile.checkNew(path) }
  }

  private static func isVideo(_ path: String) -> Bool { path.lowercased().hasSuffix(".mp4") }

  /// Of the recordings to come.
  public func take(_ header: StreamHeader) { videos?.take(header) }

  /// Takes the session's records after the header, from whichever thread tells them.
  public func tell(_ record: StreamRecord) { videos?.tell(record) }

  /// Takes a frame whose records have been told.
  public func add(_ frame: Frame, _ observation: FaceObservation) { videos?.add(frame, observation) }

  /// Takes where the game stands, several times a second, after the runs that have ended by then.
  public func tell(_ phase: GameFlow.Phase, tick: Int, at time: Int64) { videos?.tell(phase, tick: tick, at: time) }

  /// Takes a run that has ended.
  public func add(_ run: GameRun) {
    if let videos { return videos.add(run) }
    let file = NumberedNames(path).firstFree
    do {
      try run.record.write(to: file)
      onSaved(file)
    } catch {
      failure.withLock { $0 = $0 ?? error }
      onFailure()
    }
  }

  /// The run that was about to begin does not.
  public func leave() { videos?.leave() }

  /// Waits for what is still being written. Throws what first kept something from being written.
  public func finish() throws {
    try videos?.finish()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
