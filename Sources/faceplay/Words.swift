// Numbers and lists as people read them, without Foundation.

/// A number of things: `1 frame`, `0 frames`.
func counted(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }

/// With a point and this many digits after it.
func number(_ value: Double, _ digits: Int) -> String {
  let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
  let scaled = (abs(value) * scale).rounded()
  guard scaled < 1e15 else { return "∞" }
  let (whole, fraction) = Int(scaled).quotientAndRemainder(dividingBy: Int(scale))
  let sign = value < 0 && scaled > 0 ? "−" : ""
  guard digits > 0 else { return "\(sign)\(whole)" }
  let digitsText = String(fraction)
  return "\(sign)\(whole)." + String(repeating: "0", count: digits - digitsText.count) + digitsText
}

extension [String] {
  /// `a, b or c`.
  var alternatives: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " or \(last!)"
  }
}
