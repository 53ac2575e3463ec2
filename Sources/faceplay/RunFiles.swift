// The runs of a session: what is said of them at the end, and their files.
import CosmicAdventure
import FacePlayService
import GestureStream
import Synchronization

final class RunFiles: Sendable {
  private struct State {
    var lines: [String] = []
    var written = 0
    var failure: (any Error)?
  }

  /// Of the first run's file; `nil` when none is kept.
  private let path: String?
  private let state = Mutex(State())

  init(path: String?) { self.path = path }

  func add(_ run: GameRun) {
    state.withLock { state in
      state.lines.append(Self.line(run))
      guard let path else { return }
      state.written += 1
      do {
        try run.record.write(to: state.written == 1 ? path : "\(path)-\(state.written)")
      } catch {
        state.failure = state.failure ?? error
      }
    }
  }

  /// A line a run.
  var summary: [String] { state.withLock { $0.lines } }

  /// Throws what kept a run from being written.
  func check() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  static func line(_ run: GameRun) -> String {
    let game = run.game
    let verdict =
      switch game.outcome?.verdicts[0] {
      case .success, .win: "reached the ship"
      case .fail: "ran out of time"
      case .lose: "lost"
      case .draw: "draw"
      case .quit, nil: "given up"
      }
    return "\(game.level.name): \(verdict) after \(GameView.seconds(game.tick)), "
      + "platform \(game.players[0].safePlatform) of \(game.level.goal), hash \(run.record.hash)"
  }
}
