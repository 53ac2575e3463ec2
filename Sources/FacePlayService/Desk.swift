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
    case saved(String)
    /// For people.
    case failed(String)
  }

  /// What it is made for.
  struct Plan: Sendable {
    let profile: Profile
    /// The source stands in for a camera that is not there: what it plays is nobody's.
    let isDemo: Bool
    let file: PlayerFile
    let levels: [Level]
    let script: CalibrationScript
  }

  private let inbox = Mutex<[Mail]>([])
  private let wake = NewestSlot<Void>()
  private let isCalibrating = Atomic(false)
  private let shownTrouble = Mutex<String?>(nil)
  /// When the newest observation came, CLOCK_MONOTONIC in nanoseconds; 0 before the first.
  private let lastFrame = Atomic<Int64>(0)
  private let plan: Plan
  private let store: ProfileStore
  private let recordings: Recordings
  private let server: PageServer
  let log: @Sendable (String) -> Void
  private let thread = Mutex<WorkerThread?>(nil)

  /// Throws `DataFileError`, `LevelFileError`, `CalibrationScriptError` or `PlayerInUseError`.
  init(
    profile: Profile, isDemo: Bool, store: ProfileStore, data: DataFiles, server: PageServer, recordings: Recordings,
    log: @escaping @Sendable (String) -> Void
  ) throws {
    plan = Plan(
      profile: profile, isDemo: isDemo, file: try PlayerFile(profile: profile.own.name, profiles: store.folder),
      levels: try Level.names.map { try Level.named($0, in: data) },
      script: try CalibrationScript(contentsOf: try data.path(CalibrationScript.path)))
    self.store = store
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
      if let photo = try recordings.add(frame, observation) { put(.saved(photo)) }
    } catch {
      put(.failed("\(error)"))
    }
  }

  func tell(saved file: String) { put(.saved(file)) }

  /// `failure` is for people.
  func tell(failure: String) { put(.failed(failure)) }

  /// `runs` takes those that are played.
  func begin(_ session: GestureSession, _ feed: any ObservationFeed, _ runs: RunFiles?) {
    let profiles = ProfileWriter(store) { [weak self] in self?.put(.failed($0)) }
    let thread = WorkerThread("desk") { [self] in
      var state = State(
        plan, server: server, session: session, feed: feed, recordings: recordings, runs: runs, profiles: profiles,
        log: log)
      while true {
        if case .closed = wake.take(until: state.due) { break }
        let mail = inbox.withLock { inbox in
          defer { inbox = [] }
          return inbox
        }
        let now = MonotonicClock.now
        for item in mail { take(item, &state, at: now) }
        state.judge(lastFrame: lastFrame.load(ordering: .relaxed), at: now)
        // Whoever is told of it by a status finds it so.
        shownTrouble.withLock { $0 = state.trouble }
        state.advance(to: now)
        isCalibrating.store(state.isCalibrating, ordering: .relaxed)
      }
      state.end(at: MonotonicClock.now)
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

  private func take(_ mail: Mail, _ state: inout State, at now: Int64) {
    switch mail {
    case .page(.opened(let page)): state.greet(page, at: now)
    case .page(.control(nil)): state.nobodyControls(at: now)
    case .page(.message(let message, from: let page)): state.follow(message, from: page, at: now)
    case .page: break
    case .event(let event): state.take(event, at: now)
    case .observation(let observation): state.take(observation)
    case .condition(let condition): state.condition = condition
    case .saved(let file): state.tell(.saved(name: file))
    case .failed(let failure): state.tell(failure: failure)
    }
  }
}
