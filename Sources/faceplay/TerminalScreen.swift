// A block of lines on a terminal, redrawn in place, or its whole screen.
import GestureStream
import Glibc
import Synchronization

/// Draws on standard output and gives the terminal back as it was. What cannot be drawn is left out: a terminal that is
/// gone ends the process by its own signal.
struct TerminalScreen: ~Copyable {
  struct Size: Equatable {
    var columns: Int
    var rows: Int
  }

  private let output = try? OutputFile(path: "-", cancellation: Interruption.cancellation)
  private var drawn = 0
  private var size = TerminalScreen.size
  private let isWhole: Bool

  /// What is to be given back.
  private enum Taken: UInt8, AtomicRepresentable { case nothing, cursor, screen }
  private static let taken = Atomic(Taken.nothing)

  /// Whether standard output is a terminal on which a cursor can be moved.
  static var isAvailable: Bool {
    isatty(STDOUT_FILENO) == 1 && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }

  /// 80 × 24 when the terminal does not say.
  static var size: Size {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// `isWhole` takes the terminal's other screen, so that what was there before comes back.
  init(isWhole: Bool = false) {
    self.isWhole = isWhole
    begin()
  }

  deinit { Self.giveBack() }

  /// Shows the cursor, and what was there before the whole screen was taken; from any thread. Nothing is drawn any more
  /// until `begin()`.
  static func giveBack() {
    switch taken.exchange(.nothing, ordering: .acquiringAndReleasing) {
    case .nothing: break
    case .cursor: writeSoon("\u{1B}[?25h", to: STDOUT_FILENO)
    case .screen: writeSoon("\u{1B}[0m\u{1B}[?1049l\u{1B}[?25h", to: STDOUT_FILENO)
    }
  }

  /// Hides the cursor and starts below whatever stands there: also when others have written meanwhile.
  mutating func begin() {
    drawn = 0
    Self.taken.store(isWhole ? .screen : .cursor, ordering: .releasing)
    put((isWhole ? "\u{1B}[?1049h" : "") + "\u{1B}[?25l")
  }

  /// Replaces what was drawn before. `lines` makes what fits the size it is given; lines beyond the height are left out.
  mutating func draw(_ lines: (Size) -> [String]) {
    let size = Self.size
    let shown = lines(size).prefix(max(size.rows - 1, 1))
    put(Self.text(shown, over: drawn, isResized: size != self.size))
    self.size = size
    drawn = shown.count
  }

  /// Control sequences and characters as they are.
  mutating func draw(_ text: String) { put(text) }

  /// `drawn` lines stand above the cursor. A terminal whose size changes may have broken them anew, or not: only an empty
  /// screen is sure.
  static func text(_ lines: some Sequence<String>, over drawn: Int, isResized: Bool) -> String {
    let back = isResized ? "\u{1B}[H\u{1B}[2J" : drawn > 0 ? "\r\u{1B}[\(drawn)A" : "\r"
    return back + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
  }

  private func put(_ text: String) {
    guard Self.taken.load(ordering: .acquiring) != .nothing else { return }
    try? output?.write(Array(text.utf8))
    try? output?.flush()
  }
}
