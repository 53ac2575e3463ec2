// Coloured character cells and the bytes that bring a terminal from one grid to the next.

/// 8 bits each of red, green and blue.
struct Colour: Equatable, Sendable {
  var red, green, blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  static let black = Colour(0, 0, 0)

  /// This colour at 0, the other at 1.
  func mixed(_ other: Colour, _ share: Double) -> Colour {
    let share = min(max(share, 0), 1)
    func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
      UInt8((Double(one) + (Double(two) - Double(one)) * share).rounded())
    }
    return Colour(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
  }
}

/// How many colours a terminal shows.
enum ColourDepth: Sendable {
  case full
  /// xterm's palette: 16 system colours, a cube of 6 × 6 × 6, 24 greys.
  case palette256

  /// As terminals tell it: COLORTERM is `truecolor` or `24bit`.
  init(colourTerm: String?) { self = ["truecolor", "24bit"].contains(colourTerm) ? .full : .palette256 }

  /// The parameters of `CSI … m` after 38 or 48.
  func code(_ colour: Colour) -> String {
    switch self {
    case .full: "2;\(colour.red);\(colour.green);\(colour.blue)"
    case .palette256: "5;\(Self.index(colour))"
    }
  }

  private static func index(_ colour: Colour) -> Int {
    let (red, green, blue) = (Int(colour.red), Int(colour.green), Int(colour.blue))
    if max(red, green, blue) - min(red, green, blue) < 10 {
      let grey = (red + green + blue) / 3
      return grey < 4 ? 16 : grey > 246 ? 231 : 232 + min((grey - 3) / 10, 23)
    }
    // The cube's levels are 0, 95, 135, 175, 215 and 255.
    func level(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
    return 16 + 36 * level(red) + 6 * level(green) + level(blue)
  }
}

struct Cell: Equatable, Sendable {
  var character: Character = " "
  var ink = Colour.black
  var paper = Colour.black
}

struct CellGrid: Equatable, Sendable {
  let columns, rows: Int
  private(set) var cells: [Cell]

  init(columns: Int, rows: Int, paper: Colour) {
    self.columns = columns
    self.rows = rows
    cells = [Cell](repeating: Cell(paper: paper), count: columns * rows)
  }

  /// What lies outside is left out.
  mutating func put(_ cell: Cell, _ column: Int, _ row: Int) {
    guard (0..<columns).contains(column), (0..<rows).contains(row) else { return }
    cells[row * columns + column] = cell
  }

  /// On the paper that is there.
  mutating func write(_ text: String, _ column: Int, _ row: Int, _ ink: Colour) {
    guard (0..<rows).contains(row) else { return }
    for (offset, character) in text.enumerated() where (0..<columns).contains(column + offset) {
      cells[row * columns + column + offset].character = character
      cells[row * columns + column + offset].ink = ink
    }
  }

  /// Control sequences that draw the cells that differ from `shown`, or all when that is another size.
  func drawn(over shown: CellGrid?, depth: ColourDepth) -> String {
    let shown = shown.flatMap { $0.columns == columns && $0.rows == rows ? $0.cells : nil }
    var text = shown == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    var place: Int?
    var (ink, paper): (Colour?, Colour?) = (nil, nil)
    for (index, cell) in cells.enumerated() where shown?[index] != cell {
      if place != index || index % columns == 0 {
        text += "\u{1B}[\(index / columns + 1);\(index % columns + 1)H"
      }
      if cell.paper != paper { text += "\u{1B}[48;\(depth.code(cell.paper))m" }
      if cell.ink != ink, cell.character != " " {
        text += "\u{1B}[38;\(depth.code(cell.ink))m"
        ink = cell.ink
      }
      paper = cell.paper
      text.append(cell.character)
      place = index + 1
    }
    return text
  }
}
