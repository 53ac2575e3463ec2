// A block of lines on a terminal, redrawn in place.
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
  private static let isCursorHidden = Atomic(false)

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

  init() { begin() }

  deinit { Self.giveBack() }

  /// Shows the cursor if it is hidden, from any thread.
  static func giveBack() {
    guard isCursorHidden.exchange(false, ordering: .acquiringAndReleasing) else { return }
    writeSoon("\u{1B}[?25h", to: STDOUT_FILENO)
  }

  /// Hides the cursor and starts below whatever stands there: also when others have written meanwhile.
  mutating func begin() {
    drawn = 0
    Self.isCursorHidden.store(true, ordering: .releasing)
    put("\u{1B}[?25l")
  }

  /// Replaces what was drawn before. `lines` makes what fits the size it is given; lines beyond the height are left out.
  mutating func draw(_ lines: (Size) -> [String]) {
    let size = Self.size
    let shown = lines(size).prefix(max(size.rows - 1, 1))
    put(Self.text(shown, over: drawn, isResized: size != self.size))
    self.size = size
    drawn = shown.count
  }

  /// `drawn` lines stand above the cursor. A terminal whose size changes may have broken them anew, or not: only an empty
  /// screen is sure.
  static func text(_ lines: some Sequence<String>, over drawn: Int, isResized: Bool) -> String {
    let back = isResized ? "\u{1B}[H\u{1B}[2J" : drawn > 0 ? "\r\u{1B}[\(drawn)A" : "\r"
    return back + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
  }

  private func put(_ text: String) {
    try? output?.write(Array(text.utf8))
    try? output?.flush()
  }
}
