// Clips for the tests: given ones, ones made by ffmpeg on the spot, and ones written by hand.
import Capture
import Foundation
import Frames
import Testing

/// A folder that goes away with the test.
final class Scratch {
  let folder: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("capture-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    folder = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  func write(_ text: String, to name: String) throws -> String { try write(text.utf8, to: name) }

  func bytes(of name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(name)))) }

  /// Runs ffmpeg in the folder; the last argument names the file it makes, whose path is returned.
  @discardableResult
  func ffmpeg(_ arguments: String...) throws -> String {
    let name = try #require(arguments.last)
    _ = try run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments, in: folder)
    return path(name)
  }
}

/// Width and height in pixels, to compare at once.
struct Size: Equatable {
  let width: Int
  let height: Int

  init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }
}

extension Frame {
  var size: Size { Size(width, height) }
}

extension SourceDescription {
  var size: Size { Size(width, height) }
}

/// What ffprobe, which is not the code under test, says about a file's video.
struct Probe {
  /// Nanoseconds from the first frame, rounded as they come.
  let timestamps: [Int64]
  let size: Size

  init(_ path: String) throws {
    let select = ["-v", "quiet", "-select_streams", "v:0", "-of", "csv=p=0"]
    func fields(_ entries: String) throws -> [[Substring]] {
      try run("ffprobe", select + ["-show_entries", entries, path])
        .split(separator: "\n").map { $0.split(whereSeparator: { ",/".contains($0) }) }
    }
    let timeBase = try #require(try fields("stream=time_base").first).compactMap { Int64($0) }
    let ticks = try fields("frame=best_effort_timestamp").compactMap { $0.first.flatMap { Int64($0) } }
    let first = ticks.first ?? 0
    timestamps = ticks.map { (($0 - first) * timeBase[0] * 1_000_000_000 + timeBase[1] / 2) / timeBase[1] }
    let sides = try #require(try fields("stream=width,height").first).compactMap { Int($0) }
    size = Size(sides[0], sides[1])
  }
}

/// Runs a program found on PATH and returns what it printed.
func run(_ program: String, _ arguments: [String], in folder: String? = nil) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
  let output = Pipe()
  process.standardOutput = output
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0, "\(program) \(arguments.joined(separator: " "))")
  return String(decoding: data, as: UTF8.self)
}
