// The player's profile, written as it changes, on a thread of its own.
import Calibration
import Frames
import Gestures
import Synchronization

/// A slider that is dragged makes 60 profiles a second: the newest is written, in order, the rest are left out.
final class ProfileWriter: Sendable {
  private let newest = NewestSlot<Profile>()
  private let thread: Mutex<WorkerThread?>

  /// `onFailure` hears why a profile could not be written.
  init(_ store: ProfileStore, onFailure: @escaping @Sendable (String) -> Void) {
    let thread = WorkerThread("profiles") { [newest] in
      while let profile = newest.take() {
        let written = NewestSlot<String?>()
        Task {
          do {
            try await store.save(profile)
            written.put(nil)
          } catch {
            written.put("\(error)")
          }
        }
        // Only a slot that is closed gives nothing.
        if let failure = written.take()! { onFailure(failure) }
      }
    }
    self.thread = Mutex(thread)
  }

  func save(_ profile: Profile) { newest.put(profile) }

  /// Returns when all is written.
  func end() {
    newest.close()
    thread.withLock { $0.take() }?.join()
  }
}
