// What latencies a stage reports.
import Frames
import Testing

@Suite("Latency histogram")
struct LatencyHistogramTests {
  @Test("Without durations there are no percentiles")
  func empty() {
    let histogram = LatencyHistogram()
    #expect(histogram.p50 == nil)
    #expect(histogram.p95 == nil)
    #expect(histogram.count == 0)
  }

  @Test(
    "A percentile is never below the true one and at most 6.25 % above",
    arguments: [0.01, 0.5, 0.95, 0.99, 1] as [Double])
  func percentileBounds(fraction: Double) throws {
    var histogram = LatencyHistogram()
    let durations = (0..<1000).map { Int64(1_500 + 40 * $0 * $0) }
    for duration in durations.reversed() { histogram.record(duration) }
    let truth = durations[Int((fraction * 1000).rounded(.up)) - 1]
    let answer = try #require(histogram.percentile(fraction))
    #expect(answer >= truth)
    #expect(Double(answer) <= Double(truth) * 1.0625)
  }

  @Test("p50 and p95 tell a stage's usual latency from its bad one")
  func usualAndBad() throws {
    var histogram = LatencyHistogram()
    for _ in 0..<90 { histogram.record(2_000_000) }
    for _ in 0..<10 { histogram.record(30_000_000) }
    #expect(try (2_000_000...2_125_000).contains(#require(histogram.p50)))
    #expect(histogram.p95 == 30_000_000)
    #expect(histogram.maximum == 30_000_000)
    #expect(histogram.count == 100)
  }

  @Test("No duration is out of range", arguments: [.min, -1, 0, 1, 1 << 36, .max] as [Int64])
  func extremes(duration: Int64) {
    var histogram = LatencyHistogram()
    histogram.record(duration)
    #expect(histogram.count == 1)
    #expect(histogram.maximum == max(duration, 0))
    #expect(histogram.p50 == max(duration, 0))
  }
}
