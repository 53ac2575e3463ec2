// Clips, a folder to write in, and ffmpeg and ffprobe as judges.
import Capture
import Fixtures
import Foundation
import Frames
import Testing

@testable import VideoEncoding

/// A folder that goes away with the test.
final class Scratch {
  let folder = FileManager.default.temporaryDirectory.appending(path: "encoding-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path() }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: folder.appending(path: name))
    return path(name)
  }

  func bytes(of name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: folder.appending(path: name))) }
}

/// Runs a program found on PATH to its end and returns what it printed, errors included.
@discardableResult
func run(_ program: String, _ arguments: [String]) throws -> String {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.standardInput = FileHandle.nullDevice
  let output = Pipe()
  process.standardOutput = output
  process.standardError = output
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  let text = String(decoding: data, as: UTF8.self)
  try #require(process.terminationStatus == 0, "\(program) \(arguments.joined(separator: " "))\n\(text)")
  return text
}

/// What ffprobe prints for one entry of the video, a line each.
func probe(_ path: String, _ entries: String) throws -> [String] {
  try run(
    "ffprobe", ["-v", "error", "-select_streams", "v:0", "-show_entries", entries, "-of", "default=nw=1:nk=1", path]
  ).split(separator: "\n").map(String.init)
}

/// PSNR of luma in dB, of two videos with the same pictures; more of ffmpeg's input options before either.
func lumaPSNR(_ path: String, against reference: String) throws -> Double {
  let text = try run(
    "ffmpeg",
    [
      "-nostdin", "-i", path, "-i", reference, "-lavfi", "settb=1/30,setpts=N[a];[1]settb=1/30,setpts=N[b];[a][b]psnr",
      "-f", "null", "-",
    ])
  let value = try #require(text.split(separator: " ").last { $0.hasPrefix("y:") })
  return try #require(Double(value.dropFirst(2)))
}

/// A clip's frames from the first on, and what comes of encoding them.
struct Encoding {
  var units: [AccessUnit] = []

  /// `before` may ask things of the encoder before each picture.
  init(
    _ path: String = Checkout.demo, frames: Int, width: Int = 640, height: Int = 480, bitRate: Int = 1_000_000,
    before: (Int, inout VideoEncoder) throws -> Void = { _, _ in }
  ) throws {
    let clip = try ClipSource(path: path, pace: .fast)
    var encoder = try VideoEncoder(width: width, height: height, bitRate: bitRate, frameRate: 30)
    var picture = I420Picture(width: width, height: height)
    var converter: PictureConverter?
    while units.count < frames, let frame = try clip.next() {
      if converter == nil { converter = PictureConverter(from: frame, width: width, height: height, scaling: .fit) }
      try #require(converter!.convert(frame, into: &picture))
      try before(units.count, &encoder)
      units.append(try encoder.encode(picture, at: frame.timestamp))
    }
  }

  var stream: [UInt8] { units.flatMap(\.bytes) }
  var keyFrames: [Int] { units.indices.filter { units[$0].isKeyFrame } }

  /// Bits a second over some frames at 30 a second.
  func bitRate(_ range: Range<Int>) -> Double {
    Double(units[range].map(\.bytes.count).reduce(0, +) * 8 * 30) / Double(range.count)
  }
}

/// x264's stream of the demo's beginning, in Annex B.
func x264(_ scratch: Scratch, _ options: String...) throws -> [UInt8] {
  try run(
    "ffmpeg",
    ["-nostdin", "-v", "error", "-i", Checkout.demo, "-frames:v", "40", "-c:v", "libx264", "-preset", "veryfast"]
      + options + ["-y", "-f", "h264", scratch.path("x264.h264")])
  return try scratch.bytes(of: "x264.h264")
}

/// A frame whose colours go from side to side and from top to bottom.
func gradient(_ width: Int, _ height: Int) -> Frame {
  Frame(index: 0, timestamp: 0, format: .bgr24, width: width, height: height, bytesPerRow: width * 3) { pixels in
    for y in 0..<height {
      for x in 0..<width {
        let start = (y * width + x) * 3
        pixels[start] = UInt8(x * 255 / width)
        pixels[start + 1] = UInt8(y * 255 / height)
        pixels[start + 2] = UInt8((x + y) * 255 / (width + height))
      }
    }
  }
}
