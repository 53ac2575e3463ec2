// The runs of a session: what is said of them at the end, and where they are kept.
import CosmicAdventure
import FaceGeometry
import FacePlayService
import Frames
import GestureStream
import Glibc
import Synchronization

final class RunFiles: Sendable {
  private struct State {
    var lines: [String] = []
    var failure: (any Error)?
  }

  /// Of the first run's file; `nil` unless runs are kept alone.
  private let path: String?
  private let videos: RunVideos?
  private let state = Mutex(State())

  /// `onFailure` hears once that a video has failed while its run goes on.
  init(_ destination: RunDestination?, header: StreamHeader, onFailure: @escaping @Sendable () -> Void) {
    switch destination {
    case nil: (path, videos) = (nil, nil)
    case .run(let path): (self.path, videos) = (path, nil)
    case .video(let path): (self.path, videos) = (nil, RunVideos(path: path, header: header, onFailure: onFailure))
    }
  }

  func tell(_ record: StreamRecord) { videos?.tell(record) }

  func tell(_ scene: GameScene) { videos?.tell(scene) }

  func add(_ frame: Frame, _ observation: FaceObservation) { videos?.add(frame, observation) }

  func add(_ run: GameRun) {
    videos?.add(run)
    state.withLock { state in
      state.lines.append(Self.line(run))
      guard let path else { return }
      do {
        try run.record.write(to: NumberedNames(path).first { access($0, F_OK) != 0 }!)
      } catch {
        state.failure = state.failure ?? error
      }
    }
  }

  /// A line a run.
  var summary: [String] { state.withLock { $0.lines } }

  /// Waits for what is still being written. Throws what kept a run from being written.
  func finish() throws {
    try videos?.finish()
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
