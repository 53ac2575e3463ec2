// The runs of a session: what is said of them at the end, and their files.
import CosmicAdventure
import FacePlayService
import GestureStream
import Glibc
import Synchronization

final class RunFiles: Sendable {
  private struct State {
    var lines: [String] = []
    var failure: (any Error)?
  }

  /// Of the first run's file; `nil` when none is kept.
  private let path: String?
  private let state = Mutex(State())

  /// Throws `StreamWriteError` when nothing can be written there: better before the game than after.
  init(path: String?) throws {
    self.path = path
    if let path { _ = try OutputFile(path: path) }
  }

  func add(_ run: GameRun) {
    state.withLock { state in
      state.lines.append(Self.line(run))
      guard let path else { return }
      do {
        try run.record.write(to: state.lines.count == 1 ? path : Self.free(after: path))
      } catch {
        state.failure = state.failure ?? error
      }
    }
  }

  /// The first of FILE-2, FILE-3 … that is not there: only FILE itself was named to be replaced.
  private static func free(after path: String) -> String {
    var number = 2
    while access("\(path)-\(number)", F_OK) == 0 { number += 1 }
    return "\(path)-\(number)"
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
