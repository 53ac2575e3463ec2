// Records' numbers and strings as UTF-8 text, appended to the line being written.
import Gestures

/// Every function takes what stands before the value, key or comma, and holds the value in its range.
extension [UInt8] {
  mutating func append(_ before: StaticString, count: Int) {
    append(before)
    self += String(count.held(in: StreamLimits.count)).utf8
  }

  /// Nanoseconds.
  mutating func append(_ before: StaticString, time: Int64) {
    append(before)
    self += String(time.held(in: StreamLimits.time)).utf8
  }

  mutating func append(_ before: StaticString, pixels: Int) {
    append(before, count: pixels.held(in: StreamLimits.pixels))
  }

  mutating func append(_ before: StaticString, score: Double) {
    appendDecimal(before, score.held(in: StreamLimits.score), places: StreamLimits.scoreDecimals)
  }

  mutating func append(_ before: StaticString, steering: Double) {
    appendDecimal(before, steering.held(in: StreamLimits.steering), places: StreamLimits.scoreDecimals)
  }

  mutating func append(_ before: StaticString, angle: Double) {
    appendDecimal(before, angle.held(in: StreamLimits.angle), places: StreamLimits.angleDecimals)
  }

  mutating func append(_ before: StaticString, string: String) {
    append(before)
    appendQuoted(string)
  }

  /// The shortest text that reads back as the same number, whole numbers without a point: `30`, `29.97`.
  mutating func append(_ before: StaticString, fps: Double) {
    append(before)
    let text = fps.held(in: StreamLimits.framesPerSecond).description
    self += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
  }

  mutating func append(_ before: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: before.utf8Start, count: before.utf8CodeUnitCount))
  }

  /// Rounded to so many places, then without the zeros at the end, but always with one digit after the point: `-3.1`,
  /// `0.0`. The value times 10^places must fit an `Int`.
  private mutating func appendDecimal(_ before: StaticString, _ value: Double, places: Int) {
    append(before)
    var unit = 1
    for _ in 0..<places { unit *= 10 }
    let rounded = Int((value * Double(unit)).rounded())
    if rounded < 0 { append(UInt8(ascii: "-")) }
    var (whole, fraction) = rounded.magnitude.quotientAndRemainder(dividingBy: unit.magnitude)
    self += String(whole).utf8
    append(UInt8(ascii: "."))
    repeat {
      unit /= 10
      (whole, fraction) = fraction.quotientAndRemainder(dividingBy: unit.magnitude)
      append(UInt8(ascii: "0") + UInt8(whole))
    } while fraction > 0
  }

  /// A JSON string (RFC 8259, section 7).
  private mutating func appendQuoted(_ string: String) {
    append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case ..<0x20:
        append(byte < 0x10 ? #"\u000"# : #"\u001"#)
        self += String(byte % 16, radix: 16).utf8
      default:
        append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}
