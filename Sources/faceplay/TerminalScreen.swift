// A block of lines on a terminal, redrawn in place, or its whole screen.
import Glibc

/// Draws on standard output and gives the terminal back as it was.
struct TerminalScreen: ~Copyable {
  private var drawn = 0

  /// Whether standard output is a terminal on which a cursor can be moved.
  static var isAvailable: Bool {
    isatty(STDOUT_FILENO) == 1 && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }

  /// Columns and rows; 80 × 24 when the terminal does not say.
  static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  private let isWhole: Bool

  /// `isWhole` takes the terminal's other screen, so that what was there before comes back.
  init(isWhole: Bool = false) {
    self.isWhole = isWhole
    put((isWhole ? "\u{1B}[?1049h" : "") + "\u{1B}[?25l")
  }

  deinit { put((isWhole ? "\u{1B}[0m\u{1B}[?1049l" : "") + "\u{1B}[?25h") }

  /// Replaces what was drawn before. Lines must fit the terminal's width; those beyond its height are left out.
  mutating func draw(_ lines: [String]) {
    let shown = lines.prefix(max(Self.size.rows - 1, 1))
    let back = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
    put("\r" + back + shown.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J")
    drawn = shown.count
  }

  /// Control sequences and characters as they are.
  mutating func draw(_ text: String) { put(text) }

  private func put(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      bytes = bytes.dropFirst(max(count, 0))
    }
  }
}
