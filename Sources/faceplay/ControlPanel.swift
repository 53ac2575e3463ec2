// Keys to what they do: the session tuned, the profile saved.
import Calibration
import FacePlayService
import Frames
import Gestures
import Synchronization

/// Shared by the view, which shows the controls, and the keys' thread, which changes them.
final class ControlPanel: Sendable {
  private let state: Mutex<LiveControls>
  private let store: ProfileStore

  init(_ controls: LiveControls, store: ProfileStore) {
    state = Mutex(controls)
    self.store = store
  }

  var controls: LiveControls { state.withLock { $0 } }

  func press(_ key: Key, in session: GestureSession) {
    switch state.withLock({ $0.press(key) }) {
    case .take(let profile): session.take(profile)
    case .recentre:
      let profile = session.recentre()
      state.withLock { $0.recentred(profile) }
    case .pause: session.pause(at: MonotonicClock.now)
    case .resume: session.resume(at: MonotonicClock.now)
    case .save(let profile, let replaces): save(profile, replaces: replaces)
    case nil: break
    }
  }

  /// Says on standard error what the player changed and did not save.
  func tellUnsaved() {
    let controls = controls
    guard controls.hasChanges else { return }
    printError("faceplay: not saved: \(LiveControls.percents(controls.profile.sensitivity)); the s key saves")
  }

  private func save(_ profile: Profile, replaces: Bool) {
    do {
      let saved = try waiting { [store] in
        var profile = profile
        if replaces {
          try await store.save(profile)
        } else {
          profile.name = LiveControls.name(for: profile, taken: Set(try await store.names().map(\.description)))
          try await store.add(profile)
        }
        return profile
      }
      state.withLock { $0.saved(saved) }
    } catch {
      state.withLock { $0.failed(error) }
    }
  }
}
