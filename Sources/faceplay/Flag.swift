// Something that has happened, told across threads.
import Synchronization

/// Raised by any thread.
final class Flag: Sendable {
  private let raised = Atomic(false)
  var isRaised: Bool { raised.load(ordering: .acquiring) }
  func raise() { raised.store(true, ordering: .releasing) }
  /// Whether it was raised, which it no longer is.
  func lower() -> Bool { raised.exchange(false, ordering: .acquiringAndReleasing) }
}
