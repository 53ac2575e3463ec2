// A picture of coloured pixels, two to a character cell.

struct PixelGrid: Equatable, Sendable {
  let width, height: Int
  private var pixels: [Colour]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = [Colour](repeating: .black, count: width * height)
  }

  /// Row 0 is the upper one; what lies outside is left out.
  subscript(x: Int, y: Int) -> Colour {
    get { (0..<width).contains(x) && (0..<height).contains(y) ? pixels[y * width + x] : .black }
    set { if (0..<width).contains(x) && (0..<height).contains(y) { pixels[y * width + x] = newValue } }
  }

  mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ colour: Colour) {
    for y in rows.clamped(to: 0..<height) { for x in columns.clamped(to: 0..<width) { pixels[y * width + x] = colour } }
  }

  /// Into cells whose upper half is ink and lower half paper.
  func draw(on cells: inout CellGrid, column: Int, row: Int) {
    for y in stride(from: 0, to: height - 1, by: 2) {
      for x in 0..<width {
        let (upper, lower) = (self[x, y], self[x, y + 1])
        let cell =
          upper == lower
          ? Cell(paper: upper) : Cell(character: "▀", ink: upper, paper: lower)
        cells.put(cell, column + x, row + y / 2)
      }
    }
  }
}
