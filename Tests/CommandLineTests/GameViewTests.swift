// The game on a terminal: what is drawn, at any size, and how few bytes it takes.
import CosmicAdventure
import FacePlayService
import Gestures
import Testing

@testable import faceplay

@Suite("The game on a terminal")
struct GameViewTests {
  private func playthrough() throws -> Playthrough {
    Playthrough(levels: try Level.names.map { try Level.named($0, in: DataFiles()) }, startingWith: 0)
  }

  private func cells(_ playthrough: Playthrough, at time: Int64, columns: Int = 100, rows: Int = 30) -> CellGrid {
    GameView(scene: GameScene(playthrough, at: time), status: LiveStatus(), profile: Profile())
      .cells(columns: columns, rows: rows)
  }

  private func text(_ cells: CellGrid) -> String {
    (0..<cells.rows).map { row in
      String(cells.cells[(row * cells.columns)..<((row + 1) * cells.columns)].map(\.character))
    }.joined(separator: "\n")
  }

  @Test(
    "Any size of terminal is filled, down to one cell", arguments: [(1, 1), (20, 5), (80, 24), (300, 90), (500, 3)])
  func sizes(columns: Int, rows: Int) throws {
    let cells = cells(try playthrough(), at: 0, columns: columns, rows: rows)
    #expect(cells.cells.count == columns * rows)
    if columns >= 80 && rows >= 24 { #expect(text(cells).contains("Gentle Drift")) }
  }

  @Test("The player is told what to do: look, wait, come back")
  func phases() throws {
    var playthrough = try playthrough()
    #expect(text(cells(playthrough, at: 0)).contains("Look at the camera"))
    playthrough.take(.face(.found), at: 0)
    #expect(text(cells(playthrough, at: 500_000_000)).contains("▀▀█"))
    for time in stride(from: 0, through: 5_000_000_000 as Int64, by: 4_000_000) { _ = playthrough.advance(to: time) }
    #expect(text(cells(playthrough, at: 5_000_000_000)).contains("time 2.0 s"))
    playthrough.take(.face(.lost), at: 5_000_000_000)
    #expect(text(cells(playthrough, at: 5_000_000_000)).contains("PAUSED"))
  }

  @Test("What has not changed is not sent again")
  func difference() throws {
    let one = cells(try playthrough(), at: 0)
    #expect(one.drawn(over: one, depth: .full).isEmpty)
    var other = one
    other.write("x", 3, 4, Colour(1, 2, 3))
    let sent = other.drawn(over: one, depth: .full)
    #expect(sent.hasPrefix("\u{1B}[5;4H") && sent.hasSuffix("38;2;1;2;3mx"))
    #expect(one.drawn(over: nil, depth: .full).hasPrefix("\u{1B}[0m\u{1B}[2J"))
  }

  @Test(
    "Colours are told in full where the terminal says so, else by the nearest of 256",
    arguments: [
      ("truecolor", Colour(1, 2, 3), "2;1;2;3"), (nil, Colour(255, 0, 0), "5;196"), ("", Colour(0, 0, 0), "5;16"),
      (nil, Colour(255, 255, 255), "5;231"), (nil, Colour(128, 128, 128), "5;244"), (nil, Colour(95, 135, 215), "5;68"),
    ] as [(String?, Colour, String)])
  func depth(colourTerm: String?, colour: Colour, code: String) {
    #expect(ColourDepth(colourTerm: colourTerm).code(colour) == code)
  }
}
