// The whole screen of a game in the terminal: the picture, and beside it what the player wants to know.
import CosmicAdventure
import FacePlayService
import GameEngine
import Gestures

/// Pure, for any size; a narrow terminal gets the picture and the figures over it.
struct GameView {
  private static let panelWidth = 42
  private static let ink = Colour(214, 222, 240)
  private static let dim = Colour(128, 140, 172)
  private static let bright = Colour(250, 204, 92)
  private static let paper = Colour(10, 12, 26)

  let scene: GameScene
  let status: LiveStatus
  let profile: Profile
  /// Empty when all is well.
  var warning = ""

  func cells(columns: Int, rows: Int) -> CellGrid {
    var cells = CellGrid(columns: columns, rows: rows, paper: Self.paper)
    // As high as the screen, unless it would be too wide for it.
    var height = rows * 2
    while height > 2, GamePicture.width(height: height, level: scene.game.level) > columns { height -= 2 }
    let picture = GamePicture(scene.game, viewer: 0, height: height).pixels
    let hasPanel = columns >= picture.width + 2 + Self.panelWidth
    let left = max((columns - picture.width - (hasPanel ? Self.panelWidth + 2 : 0)) / 2, 0)
    picture.draw(on: &cells, column: left, row: 0)
    if hasPanel {
      for (row, line) in panel.enumerated() { cells.write(line.text, left + picture.width + 3, row + 1, line.ink) }
    } else {
      for (row, line) in figures.enumerated() { cells.write(line.text, left + 2, row, line.ink) }
    }
    let message = message
    let box = (message.map(\.text.count).max() ?? 0) + 2
    for (row, line) in message.enumerated() {
      let row = height / 8 + row
      let start = left + (picture.width - box) / 2
      for column in start..<(start + box) { cells.put(Cell(paper: Self.paper), column, row) }
      cells.write(line.text, start + (box - line.text.count) / 2, row, line.ink)
    }
    return cells
  }

  private struct Line {
    let text: String
    let ink: Colour

    init(_ text: String, _ ink: Colour = GameView.ink) {
      self.text = text
      self.ink = ink
    }
  }

  private var player: Player { scene.game.players[0] }

  private var figures: [Line] {
    let game = scene.game
    let limit = game.level.timeLimit.map { " of \(number($0, 0))" } ?? ""
    return [
      Line("platform \(player.safePlatform) of \(game.level.goal)"),
      Line("time \(number(Double(game.time) / 1e9, 1))\(limit) s", isHurried ? Self.bright : Self.ink),
    ]
  }

  /// The last ten seconds.
  private var isHurried: Bool { scene.game.ticksLeft.map { $0 < 10 * FixedStep.rate } ?? false }

  private var panel: [Line] {
    let signals = status.state?.signals
    let best = scene.bestTime.map { Line("best \(Self.seconds($0))", Self.dim) } ?? Line("")
    let share = Double(player.safePlatform) / Double(scene.game.level.goal)
    return [
      Line("COSMIC ADVENTURE", Self.bright), Line(scene.game.level.title), Line(""),
    ] + figures + [
      best, Line(Self.bar(share), Self.bright), Line(""),
      Line("tilt   \(status.tilt.map { $0 == .left ? "◀ left" : "right ▶" } ?? "")", Self.dim),
      Line(LiveView.rollMeter(signals?.roll, profile.tilt)),
      Line("purse  \(status.isPursing ? "● jump" : "")", Self.dim),
      Line(LiveView.purseMeter(signals?.purse, profile.purse)),
      Line(""),
      Line("Tilt your head: move", Self.dim), Line("Purse your lips: jump, again: higher", Self.dim),
      Line("Purse for 2.5 s: back to the green one", Self.dim), Line("Ctrl-C ends", Self.dim), Line(""),
      Line(trouble, Self.bright), Line(warning, Self.bright),
    ]
  }

  private var trouble: String {
    if let trouble = status.trouble { return "\(trouble)" }
    let isSlow = status.frameRate > 0 && status.frameRate < LiveStatus.Constants.slowestRate
    return isSlow ? "only \(number(status.frameRate, 0)) pictures a second: more light helps" : ""
  }

  /// In the middle of the picture.
  private var message: [Line] {
    switch scene.phase {
    case .waiting where scene.game.tick == 0: [Line("Look at the camera", Self.bright)]
    case .waiting, .paused: [Line("PAUSED", Self.bright), Line("Come back into view")]
    case .countdown(let end):
      digit(after: end - scene.time) + [Line(""), Line(scene.game.level.title)]
    case .playing:
      scene.respawnProgress > 0.3 ? [Line("Back to safety"), Line(Self.bar(scene.respawnProgress))] : []
    case .result: result
    }
  }

  /// The seconds that are left, three lines high.
  private func digit(after nanoseconds: Int64) -> [Line] {
    let digits = [["▀█ ", " █ ", "▀▀▀"], ["▀▀█", "█▀▀", "▀▀▀"], ["▀▀█", " ▀█", "▀▀▀"]]
    let index = Int((max(nanoseconds, 1) - 1) / 1_000_000_000)
    return digits[min(index, digits.count - 1)].map { Line($0, Self.bright) }
  }

  private var result: [Line] {
    guard let outcome = scene.game.outcome else { return [] }
    let time = Self.seconds(outcome.tick)
    let headline: [Line] =
      switch outcome.verdicts[0] {
      case .success, .win:
        [Line("★ The ship is yours ★", Self.bright), Line(scene.isBest ? "\(time): your best" : time)]
      case .fail:
        [Line("Time is up", Self.bright), Line("platform \(player.safePlatform) of \(scene.game.level.goal)")]
      case .lose: [Line("Your friend was faster", Self.bright)]
      case .draw: [Line("A draw", Self.bright)]
      case .quit: [Line("Given up at \(time)", Self.bright)]
      }
    guard let next = scene.nextLevel else { return headline }
    let choices = [
      Line("hold a tilt right: \(next.title)", scene.choice?.0 == .next ? Self.bright : Self.ink),
      Line("hold a purse: again", scene.choice?.0 == .again ? Self.bright : Self.ink),
      Line(scene.choice.map { Self.bar($0.1) } ?? Self.bar(0), Self.bright),
    ]
    return headline + [Line("")] + choices
  }

  static func seconds(_ ticks: Int) -> String { number(Double(FixedStep.time(of: ticks)) / 1e9, 2) + " s" }

  private static func bar(_ share: Double) -> String {
    let width = 20
    let full = Int((min(max(share, 0), 1) * Double(width)).rounded())
    return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
  }
}
