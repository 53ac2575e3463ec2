// The best times of a player who plays in the terminal, where the page keeps them, too.
import Calibration
import CosmicAdventure
import Gestures
import Synchronization

/// Each is on the disk when it has been added; from any thread.
public final class KeptBestTimes: Sendable {
  private struct State {
    var player: PlayerFile.Player
    var failure: (any Error)?
  }

  private let file: PlayerFile
  private let state: Mutex<State>

  /// Of the profile's player; `log` hears of a file that was none. Throws `PlayerInUseError`.
  public init(profile: Profile, store: ProfileStore, log: (String) -> Void) throws(PlayerInUseError) {
    file = try PlayerFile(profile: profile.own.name, profiles: store.folder)
    state = Mutex(State(player: file.load(log)))
  }

  public var times: BestTimes { state.withLock { $0.player.bestTimes } }

  /// Takes a finished game.
  public func add(_ game: Game) {
    state.withLock { state in
      guard state.player.bestTimes.add(game) else { return }
      do {
        try file.save(state.player)
      } catch {
        state.failure = state.failure ?? error
      }
    }
  }

  /// Throws what kept a time from being written.
  public func check() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}
