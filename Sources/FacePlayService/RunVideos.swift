// Runs on video: for each a recording of its pictures and gestures, with the run itself at the end of it.
import CosmicAdventure
import FaceGeometry
import Frames
import GestureStream
import Synchronization
import VideoEncoding

/// Named as `RunFiles` says. Nobody waits for a disk but `finish`.
final class RunVideos: Sendable {
  struct Constants {
    /// Nanoseconds of the countdown before a run that are on its video.
    static let lead: Int64 = 1_000_000_000
  }

  private struct Take {
    let recording: VideoRecording
    var clock = RunClock()
    /// Nobody is filmed while the game stands still.
    var isRolling = true
    var hasFailed = false
  }

  private struct State {
    /// From a countdown's last second to the end of its run.
    var take: Take?
    /// Closes the last one, after those before it.
    var closing: WorkerThread?
    var failure: (any Error)?
    var header: StreamHeader
  }

  private let path: String
  private let settings: EncodingSettings
  private let onSaved: @Sendable (String) -> Void
  private let onFailure: @Sendable () -> Void
  private let state: Mutex<State>

  /// `path` ends in `.mp4`. `onSaved` hears of each video that is whole with its run in it, `onFailure` of each that is
  /// not, once.
  init(
    path: String, header: StreamHeader, onSaved: @escaping @Sendable (String) -> Void,
    onFailure: @escaping @Sendable () -> Void
  ) {
    self.path = path
    self.onSaved = onSaved
    self.onFailure = onFailure
    settings = .booth(.low, frameRate: header.source.fps)
    state = Mutex(State(header: header))
  }

  /// Of the recordings to come.
  func take(_ header: StreamHeader) { state.withLock { $0.header = header } }

  /// Takes the session's records after the header, from whichever thread tells them.
  func tell(_ record: StreamRecord) {
    // The session's end counts more than a run's frames; each recording tells its own.
    if case .end = record { return }
    guard let take = state.withLock({ $0.take }) else { return }
    if case .frame = record, !take.isRolling { return }
    take.recording.tell(record)
  }

  /// Takes a frame whose records have been told.
  func add(_ frame: Frame, _ observation: FaceObservation) {
    guard let take = state.withLock({ $0.take }), take.isRolling else { return }
    take.recording.add(frame, observation)
  }

  /// Takes where the game stands, several times a second: that says when a recording begins, and when ticks are played.
  func tell(_ phase: GameFlow.Phase, tick: Int, at time: Int64) {
    switch phase {
    case .countdown(let end) where tick == 0 && end - time <= Constants.lead: begin()
    case .playing:
      begin()
      state.withLock { $0.take?.clock.note(tick, at: time) }
    // Nobody is there to play it, or it was left before it began.
    case .waiting where tick == 0, .paused where tick == 0, .result: close(nil)
    case .waiting, .countdown, .paused: break
    }
    let isStill = phase == .waiting || phase == .paused
    state.withLock { $0.take?.isRolling = !isStill }
    check()
  }

  /// Closes the recording of a run that has ended, and adds the run to it.
  func add(_ run: GameRun) { close(run) }

  /// The run that was about to begin does not.
  func leave() { close(nil) }

  /// Waits until all is on the disk. A recording whose run never began is removed. Throws what first kept something from
  /// being written: `StreamWriteError` or `VideoEncodingError`.
  func finish() throws {
    close(nil)
    state.withLock { $0.closing.take() }?.join()
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func begin() {
    let (header, isUnderWay) = state.withLock { ($0.header, $0.take != nil) }
    guard !isUnderWay else { return }
    do {
      let recording = try VideoRecording(
        path: path, header: header, settings: settings, isLive: true, showsOverlay: false, onFile: { _ in })
      state.withLock { $0.take = Take(recording: recording) }
    } catch {
      note(error)
    }
  }

  private func check() {
    guard let take = state.withLock({ $0.take }), !take.hasFailed else { return }
    do {
      _ = try take.recording.check()
    } catch {
      state.withLock { $0.take?.hasFailed = true }
      note(error)
      onFailure()
    }
  }

  /// Ends the recording, if there is one, with a run or without.
  private func close(_ run: GameRun?) {
    let take = state.withLock { state in
      defer { state.take = nil }
      return state.take
    }
    guard take != nil || run != nil else { return }
    let earlier = state.withLock { $0.closing.take() }
    let thread = WorkerThread("closing") { [self] in
      earlier?.join()
      guard let run else {
        take?.recording.discard()
        return
      }
      let video = Result { _ = try take?.recording.finish() }
      // Also when the recording has failed: the run is the smallest part of it.
      let kept = Result { try keep(run, take) }
      do {
        try video.get()
        onSaved(try kept.get())
      } catch {
        note(error)
        if take?.hasFailed != true { onFailure() }
      }
    }
    state.withLock { $0.closing = thread }
  }

  /// Returns the file.
  private func keep(_ run: GameRun, _ take: Take?) throws -> String {
    var record = run.record
    let video = take?.recording.written
    if let take, let start = video?.start { record = record.timed(by: take.clock, from: start) }
    let file = video?.files.first ?? NumberedNames(path).firstFree
    try record.append(to: file)
    return file
  }

  private func note(_ failure: any Error) { state.withLock { $0.failure = $0.failure ?? failure } }
}
