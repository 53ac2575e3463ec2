// The ranges and precision of the numbers in gesture streams and traces.

/// What the schemas allow. Writers hold every number within its range and readers refuse what lies outside, so
/// whatever is written can be read, and sums of times read cannot overflow.
enum StreamLimits {
  /// Nanoseconds from the session's start. 2^53 − 1 is the largest integer every JSON reader keeps exactly
  /// (RFC 8259, section 6): 104 days.
  static let time: ClosedRange<Int64> = 0...9_007_199_254_740_991
  /// Frame numbers and counts.
  static let count: ClosedRange<Int> = 0...9_007_199_254_740_991
  static let jumpCount = 1...2
  static let score = 0.0...1.0
  static let steering = -1.0...1.0
  /// Degrees.
  static let angle = -360.0...360.0
  /// Of a picture's sides: beyond any camera's or codec's.
  static let pixels = 1...65_535
  /// 0 where nobody knows; beyond any camera's.
  static let framesPerSecond = 0.0...100_000.0

  /// Angles are written to 0.01°, a tenth of the jitter that a still face may show.
  static let angleDecimals = 2
  /// Scores and steering are written to 0.001, a tenth of the smallest change that makes an event.
  static let scoreDecimals = 3

  /// Bytes in a line of text, of which a frame takes about 200 and a header 400.
  static let lineLength = 1 << 20
}

extension BinaryInteger {
  func held(in range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}

extension Double {
  /// The nearest value of the range, which must contain 0: that stands for NaN.
  func held(in range: ClosedRange<Double>) -> Double {
    isNaN ? 0 : min(max(self, range.lowerBound), range.upperBound)
  }
}
