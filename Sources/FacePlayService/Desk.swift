// Where all that the pages see and change is kept: one thread, one inbox.
import Calibration
import Capture
import CosmicAdventure
import FaceGeometry
import Frames
import GestureStream
import Gestures
import Synchronization
import WebService

/// Takes what happens from any thread; its own thread acts on it, steps the game, and tells the pages.
final class Desk: Sendable {
  private enum Mail: Sendable {
    case page(PageEvent)
    case event(InputEvent)
    case observation(FaceObservation)
    case condition(CameraCondition)
    /// Why a profile could not be written.
    case unsaved(String)
  }

  private let inbox = Mutex<[Mail]>([])
  private let wake = NewestSlot<Void>()
  private let isCalibrating = Atomic(false)
  private let shownTrouble = Mutex<String?>(nil)
  /// When the newest observation came, CLOCK_MONOTONIC in nanoseconds; 0 before the first.
  private let lastFrame = Atomic<Int64>(0)
  private let first: State
  private let recordings: Recordings
  private let server: PageServer
  let log: @Sendable (String) -> Void
  private let thread = Mutex<WorkerThread?>(nil)

  /// Throws `DataFileError`, `LevelFileError` or `CalibrationScriptError`.
  init(
    profile: Profile, store: ProfileStore, data: DataFiles, server: PageServer, recordings: Recordings,
    log: @escaping @Sendable (String) -> Void
  ) throws {
    first = State(
      profile: profile, store: store,
      levels: try Level.names.map { try Level.named($0, in: data) },
      script: try CalibrationScript(contentsOf: try data.path(CalibrationScript.path)), log: log)
    self.recordings = recordings
    self.server = server
    self.log = log
  }

  /// What keeps the service from working, for people.
  var trouble: String? { shownTrouble.withLock { $0 } }

  func tell(_ event: PageEvent) { put(.page(event)) }

  func tell(_ record: StreamRecord) {
    recordings.tell(record)
    if case .event(let event) = record { put(.event(event.event)) }
  }

  func tell(_ observation: FaceObservation) {
    lastFrame.store(MonotonicClock.now, ordering: .relaxed)
    if isCalibrating.load(ordering: .relaxed) { put(.observation(observation)) }
  }

  func tell(_ condition: CameraCondition) { put(.condition(condition)) }

  /// Takes a frame whose records have been told.
  func record(_ frame: Frame, _ observation: FaceObservation) {
    do {
      if let photo = try recordings.add(frame, observation) { server.broadcast(.saved(name: photo)) }
    } catch {
      server.broadcast(.error(.failed, message: "\(error)"))
    }
  }

  /// `feed` is asked for the source at each status.
  func begin(_ session: GestureSession, feed: @escaping @Sendable () -> any ObservationFeed) {
    let tools = State.Tools(
      server: server, session: session, feed: feed, recordings: recordings,
      profiles: ProfileWriter(first.store) { [weak self] in self?.put(.unsaved($0)) })
    let thread = WorkerThread("desk") { [self] in
      var state = first
      state.begin(tools)
      while true {
        if case .closed = wake.take(until: state.due) { break }
        let mail = inbox.withLock { inbox in
          defer { inbox = [] }
          return inbox
        }
        let now = MonotonicClock.now
        for item in mail { take(item, &state, tools, at: now) }
        state.judge(lastFrame: lastFrame.load(ordering: .relaxed), at: now)
        // Whoever is told of it by a status finds it so.
        shownTrouble.withLock { $0 = state.trouble }
        state.advance(tools, to: now)
        isCalibrating.store(state.isCalibrating, ordering: .relaxed)
      }
      state.end(tools)
    }
    self.thread.withLock { $0 = thread }
  }

  func end() {
    wake.close()
    thread.withLock { $0.take() }?.join()
  }

  private func put(_ mail: Mail) {
    inbox.withLock { $0.append(mail) }
    wake.put(())
  }

  private func take(_ mail: Mail, _ state: inout State, _ tools: State.Tools, at now: Int64) {
    switch mail {
    case .page(.opened(let page)): state.greet(page, tools)
    case .page(.control(nil)): state.nobodyControls(tools, at: now)
    case .page(.message(let message, from: let page)): state.follow(message, from: page, tools, at: now)
    case .page: break
    case .event(let event): state.take(event, at: now)
    case .observation(let observation): state.take(observation)
    case .condition(let condition): state.condition = condition
    case .unsaved(let failure): tools.server.broadcast(.error(.failed, message: failure))
    }
  }
}
