// Test support: the built program as a user runs it, and clips made for the occasion.
import Evaluation
import Fixtures
import Foundation
import GestureStream
import Gestures
import Testing

extension Checkout {
  static func demoTruth() throws -> Truth {
    try Truth(json: Data(contentsOf: root.appending(path: "clips/demo.truth.json")))
  }
}

extension Trait where Self == ConditionTrait {
  static var needsCases: Self { .enabled(if: Checkout.hasCases, "skipped: no cases") }
}

/// The executable that was built with these tests.
struct Program {
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Beside the test bundle, whichever way it was built.
  static let executable: URL = {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
    let folder =
      bundle.isEmpty ? Checkout.root.appending(path: ".build/debug") : URL(filePath: bundle).deletingLastPathComponent()
    return folder.appending(path: "faceplay")
  }()

  /// Runs to the end. Standard output is collected unless `output` takes it.
  @discardableResult
  static func run(
    _ arguments: [String], executable: URL = executable, environment: [String: String] = [:],
    output: FileHandle? = nil
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (out, err) = (Pipe(), Pipe())
    process.standardOutput = output ?? out
    process.standardError = err
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let errors = ReadAll(err)
    let text = output == nil ? try out.fileHandleForReading.readToEnd() ?? Data() : Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: errors.wait(), as: UTF8.self))
  }
}

/// Reads a pipe to its end beside the test, so that a full pipe blocks nobody.
final class ReadAll: @unchecked Sendable {
  private var data = Data()
  private let done = DispatchSemaphore(value: 0)

  init(_ pipe: Pipe) {
    Thread.detachNewThread { [self] in
      data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
      done.signal()
    }
  }

  func wait() -> Data {
    done.wait()
    return data
  }
}

/// A folder that goes away with the test.
final class Scratch {
  let folder = FileManager.default.temporaryDirectory.appending(path: "faceplay-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path() }

  var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path()))?.sorted() ?? [] }

  /// A clip that ffmpeg makes of the demo.
  func clip(_ name: String, _ options: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "ffmpeg", "-v", "error", "-i", Checkout.demo, "-fps_mode", "passthrough", "-c:v", "libx264", "-preset",
        "ultrafast", "-qp", "18",
      ] + options + [path(name)]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return path(name)
  }
}

/// A written stream, read back.
struct Recording {
  var frames: [GestureState] = []
  var events: [TimedEvent] = []
  let isCutShort: Bool

  init(path: String) throws {
    try self.init(InputFile(path: path))
  }

  init(text: String) throws {
    try self.init(InputFile(bytes: Array(text.utf8), name: "output"))
  }

  private init(_ input: InputFile) throws {
    var reader = try JSONLinesReader(input)
    while let record = try reader.next() {
      switch record {
      case .frame(let frame): frames.append(frame)
      case .event(let event): events.append(event)
      case .header, .end: break
      }
    }
    isCutShort = reader.isCutShort
  }

  var jumps: [Int] { events.compactMap { if case .jump(let count) = $0.event { count } else { nil } } }

  func times(of event: InputEvent) -> [Double] {
    events.filter { $0.event == event }.map { Double($0.timestamp) / 1e9 }
  }
}
