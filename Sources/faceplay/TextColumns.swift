// Text by the columns a terminal gives it: Korean and other wide letters take two.

extension Character {
  /// 0, 1 or 2: wide and fullwidth letters by the blocks of Unicode's East Asian Width (UAX #11).
  var columns: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default:
      return scalar.properties.generalCategory == .control ? 0 : 1
    }
  }
}

extension StringProtocol {
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The beginning that fits; control characters are left out.
  func cut(to width: Int) -> String {
    var left = width
    var shown = ""
    for character in self where character.columns > 0 {
      left -= character.columns
      guard left >= 0 else { break }
      shown.append(character)
    }
    return shown
  }

  /// Lines of at most `width` columns, broken at spaces; a longer word is cut.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.columns + 1 + word.columns <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(word.cut(to: width))
      }
    }
    return lines
  }
}
