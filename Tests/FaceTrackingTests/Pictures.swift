// Test support: pictures and clips as frames, decoded by an `ffmpeg` child process.

import Foundation
import Frames
import Testing

@testable import FaceTracking

/// Where the checkout and its test clips are.
enum Checkout {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
  static let models = root.appending(path: "models").path

  /// The folder of clips with truth; tests that need it are skipped without it.
  static let cases =
    ProcessInfo.processInfo.environment["FACEPLAY_CASES"].map { URL(filePath: $0) }
    ?? root.appending(path: "../shared/cases")
  static let hasCases = FileManager.default.fileExists(atPath: cases.appending(path: "portrait.png").path)
}

extension Trait where Self == ConditionTrait {
  static var needsCases: Self { .enabled(if: Checkout.hasCases, "skipped: no cases") }
}

/// A picture or clip of the cases, read frame by frame.
struct Clip {
  struct Unreadable: Error {}

  let width: Int
  let height: Int
  let framesPerSecond: Double
  private let source: [String]

  /// `filter` is an ffmpeg filter that each frame goes through.
  init(_ name: String, filter: String = "null") throws {
    source = ["-v", "error", "-i", Checkout.cases.appending(path: name).path, "-vf", filter]
    // The stream's description says what comes out of the filter: "#dimensions 0: 480x270", "#tb 0: 1/12".
    let description = try Self.run(source + ["-frames:v", "1", "-f", "framecrc", "-"]).readToEnd() ?? Data()
    let lines = String(decoding: description, as: UTF8.self).split(separator: "\n")
    func numbers(_ key: String) -> [Int] {
      let line = lines.first { $0.hasPrefix(key) } ?? ""
      return line.dropFirst(key.count).split { !$0.isNumber }.compactMap { Int($0) }
    }
    let (size, timeBase) = (numbers("#dimensions 0:"), numbers("#tb 0:"))
    guard size.count == 2, timeBase.count == 2 else { throw Unreadable() }
    (width, height) = (size[0], size[1])
    framesPerSecond = Double(timeBase[1]) / Double(timeBase[0])
  }

  /// Calls `body` with each of the first `count` frames in turn.
  func forEachFrame(upTo count: Int = .max, _ body: (Frame) throws -> Void) throws {
    let limit = count == .max ? [] : ["-frames:v", String(count)]
    let pixels = try Self.run(
      source + limit + ["-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "bgr24", "-"])
    let size = width * height * 3
    var index = 0
    while let bytes = try pixels.read(upToCount: size), bytes.count == size {
      try body(Frame(bytes, index: index, framesPerSecond: framesPerSecond, width: width, height: height))
      index += 1
    }
    if index == 0 { throw Unreadable() }
  }

  func firstFrame() throws -> Frame {
    var first: Frame?
    try forEachFrame(upTo: 1) { first = $0 }
    guard let first else { throw Unreadable() }
    return first
  }

  /// Starts ffmpeg; closing what it returns, its standard output, ends it.
  private static func run(_ arguments: [String]) throws -> FileHandle {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["ffmpeg"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    return output.fileHandleForReading
  }
}

extension Frame {
  init(_ bytes: Data, index: Int, framesPerSecond: Double, width: Int, height: Int) {
    self.init(
      index: index, timestamp: Int64((Double(index) / framesPerSecond * 1e9).rounded()), format: .bgr24, width: width,
      height: height, bytesPerRow: width * 3
    ) { $0.copyBytes(from: bytes) }
  }
}
