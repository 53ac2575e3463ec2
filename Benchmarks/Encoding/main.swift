// What encoding costs, as one JSON object on standard output.
//
// Usage: EncodingBenchmark encode WIDTH HEIGHT BITRATE   CPU milliseconds of each of the I420 frames on standard input
//        EncodingBenchmark latency CLIP [FILE.mp4]       milliseconds from frame to events, live, recording or not
import Capture
import FacePlayService
import FoundationEssentials
import Frames
import Gestures
@preconcurrency import Glibc
import VideoEncoding

func cpuMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

struct Costs: Encodable {
  /// CPU milliseconds of each frame.
  var encode: [Double] = []
  var bytes = 0
}

/// At 30 frames a second.
func measureEncoding(width: Int, height: Int, bitRate: Int) throws -> Costs {
  var encoder = try VideoEncoder(width: width, height: height, bitRate: bitRate, frameRate: 30)
  var costs = Costs()
  var samples = [UInt8](repeating: 0, count: width * height * 3 / 2)
  while fread(&samples, samples.count, 1, stdin) == 1 {
    let picture = I420Picture(width: width, height: height, samples: samples)!
    let start = cpuMilliseconds()
    let unit = try encoder.encode(picture, at: Int64(costs.encode.count) * 1_000_000_000 / 30)
    costs.encode.append(cpuMilliseconds() - start)
    costs.bytes += unit.bytes.count
  }
  return costs
}

struct Latency: Encodable {
  let p50: Double
  let p95: Double
  let cpu: Double
  let frames: Int
  let dropped: Int
}

/// The clip paced as a camera, tracked, and recorded where a file is named.
func measureLatency(clip: String, data: DataFiles, recording path: String?) throws -> Latency {
  let profile = Profile()
  let feed = try openFeed(clip, pace: .realTime, data: data)
  let recording = try path.map {
    try VideoRecording(
      path: $0, header: feed.header(profile: profile), settings: .booth(.high, frameRate: feed.source.fps),
      isLive: true, showsOverlay: false, onFile: { _ in })
  }
  let session = GestureSession(profile: profile, isLive: true) { recording?.tell($0) }
  try feed.run(
    { session.process($0) }, onFrame: { recording?.add($0, $1) },
    onCondition: { session.take($0, at: MonotonicClock.now) })
  session.end(.exit, dropped: 0)
  let summary = try recording?.finish()
  let latency = feed.metrics.tracking.latency
  return Latency(
    p50: Double(latency.p50 ?? 0) / 1e6, p95: Double(latency.p95 ?? 0) / 1e6, cpu: cpuMilliseconds(),
    frames: latency.count, dropped: summary?.dropped ?? 0)
}

func printJSON(_ value: some Encodable) throws {
  print(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
}

let words = CommandLine.arguments
switch (words.dropFirst().first, words.count) {
case ("encode", 5):
  let numbers = words.dropFirst(2).compactMap(Int.init)
  guard numbers.count == 3 else { fallthrough }
  try printJSON(try measureEncoding(width: numbers[0], height: numbers[1], bitRate: numbers[2]))
case ("latency", 3...4):
  let file = words.count > 3 ? words[3] : nil
  try printJSON(try measureLatency(clip: words[2], data: DataFiles(), recording: file))
default:
  fatalError("usage: EncodingBenchmark encode WIDTH HEIGHT BITRATE | latency CLIP [FILE.mp4]")
}
