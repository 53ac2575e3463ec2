// What each stage costs: CPU milliseconds of every frame of a clip, as one JSON object on standard output.
//
// Usage: StageBenchmark CLIP MODELS ENGINE [INSTRUCTIONS]
import Capture
import FaceTracking
import FoundationEssentials
import Frames
import Gestures
import Glibc

/// Milliseconds. The stages are in the order in which a frame goes through them.
struct Costs: Encodable {
  let engine: String
  /// Reading and verifying the networks, then the first frame: wall time.
  var load = 0.0
  var firstFrame = 0.0
  /// CPU time of each frame after the first.
  var decode: [Double] = []
  var track: [Double] = []
  var recognise: [Double] = []
  /// CPU time of looking for a face where there is none.
  var search: [Double] = []
}

func milliseconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// The process's, so that no thread's work is forgotten.
func cpu<Result>(_ costs: inout [Double], _ body: () throws -> Result) rethrows -> Result {
  let start = milliseconds(CLOCK_PROCESS_CPUTIME_ID)
  defer { costs.append(milliseconds(CLOCK_PROCESS_CPUTIME_ID) - start) }
  return try body()
}

/// Pictures of nobody, so far apart that each is searched.
func search(_ tracker: inout FaceTracker, _ costs: inout [Double]) throws {
  for index in 0..<100 {
    let frame = Frame(
      index: index, timestamp: Int64(index) * 1_000_000_000, format: .bgr24, width: 640, height: 480,
      bytesPerRow: 640 * 3
    ) { $0.initializeMemory(as: UInt8.self, repeating: 127) }
    _ = try cpu(&costs) { try tracker.track(frame) }
  }
}

func measure(clip path: String, models: String, engine: LandmarkEngine, instructions: InstructionSet?) throws -> Costs {
  let clip = try ClipSource(path: path, pace: .fast)
  var frame = try clip.next()
  let start = milliseconds(CLOCK_MONOTONIC)
  var tracker = try FaceTracker(modelsDirectory: models, engine: engine, instructions: instructions)
  let loaded = milliseconds(CLOCK_MONOTONIC)
  if let frame { _ = try tracker.track(frame) }
  var costs = Costs(engine: "\(tracker.engine)")
  costs.load = loaded - start
  costs.firstFrame = milliseconds(CLOCK_MONOTONIC) - loaded

  var recognizer = GestureRecognizer(profile: Profile())
  while true {
    frame = try cpu(&costs.decode) { try clip.next() }
    guard let frame else { break }
    let observation = try cpu(&costs.track) { try tracker.track(frame) }
    _ = cpu(&costs.recognise) { recognizer.process(observation) }
  }
  var nobody = try FaceTracker(modelsDirectory: models, engine: engine, instructions: instructions)
  try search(&nobody, &costs.search)
  return costs
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 3, let engine = LandmarkEngine(rawValue: arguments[3]) else {
  fatalError("usage: StageBenchmark CLIP MODELS ENGINE [INSTRUCTIONS]")
}
let instructions = arguments.count > 3 ? InstructionSet(rawValue: arguments[4]) : nil
let costs = try measure(clip: arguments[1], models: arguments[2], engine: engine, instructions: instructions)
print(String(decoding: try JSONEncoder().encode(costs), as: UTF8.self))
