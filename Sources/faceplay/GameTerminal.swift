// A game on a terminal, drawn by a thread of its own so that a slow terminal holds nothing up.
import Capture
import FacePlayService
import Frames
import GestureStream
import Gestures
import Glibc
import Synchronization

final class GameTerminal: Sendable {
  private let status = Mutex(LiveStatus())
  private let warning = Mutex("")
  private let newest = NewestSlot<GameScene>()
  private let isStale = Flag()
  private let thread: Mutex<WorkerThread?>

  init(profile: Profile) {
    thread = Mutex(nil)
    let depth = ColourDepth(colourTerm: getenv("COLORTERM").map { String(cString: $0) })
    let thread = WorkerThread("view") { [self] in
      var screen = TerminalScreen(isWhole: true)
      var shown: CellGrid?
      while let scene = newest.take() {
        if isStale.lower() {
          screen.begin()
          shown = nil
        }
        let size = TerminalScreen.size
        let view = GameView(
          scene: scene, status: status.withLock { $0 }, profile: profile, warning: warning.withLock { $0 })
        let cells = view.cells(columns: size.columns, rows: size.rows)
        screen.draw(cells.drawn(over: shown, depth: depth))
        shown = cells
      }
    }
    self.thread.withLock { $0 = thread }
  }

  func show(_ scene: GameScene) { newest.put(scene) }

  func tell(_ record: StreamRecord) { status.withLock { $0.add(record) } }

  func tell(_ condition: CameraCondition) { status.withLock { $0.add(condition) } }

  /// From now on, beside the game.
  func tell(_ warning: String) { self.warning.withLock { $0 = warning } }

  /// Draws all of it anew, for a terminal that others have written on.
  func redraw() { isStale.raise() }

  /// Gives the terminal back.
  func end() {
    newest.close()
    thread.withLock { $0.take() }?.join()
  }
}
