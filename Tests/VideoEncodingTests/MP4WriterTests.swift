// MP4 files, judged by ffprobe.
import Foundation
import Frames
import Testing

@testable import VideoEncoding

@Suite("MP4 writer")
struct MP4WriterTests {
  private let scratch = try! Scratch()

  private func timestamps(_ path: String) throws -> [Double] {
    try probe(path, "packet=pts_time").compactMap(Double.init)
  }

  @Test("Every picture has its time, whatever the rate, and the text beside it its own")
  func times() throws {
    // Unsteady, from an arbitrary beginning.
    let encoding = try Encoding(frames: 40)
    let times = (0..<40).map { (n: Int64) -> Int64 in 5_000_000_000 + n * n * 1_000_000 + n * 20_000_000 }
    let path = scratch.path("out.mp4")
    var writer = try MP4Writer(path: path, first: encoding.units[0].retimed(to: times[0]), frameRate: 30)
    for (unit, time) in zip(encoding.units, times) {
      try writer.add(unit.retimed(to: time))
      try writer.add(text: Array("{\"n\":\(time)}\n".utf8), at: time)
    }
    try writer.finish()
    let told = try timestamps(path)
    #expect(told.count == 40)
    // A tick is 11 µs.
    for (one, other) in zip(told, times) { #expect(abs(one - Double(other - times[0]) / 1e9) < 12e-6) }
    #expect(try probe(path, "stream=codec_tag_string,profile,has_b_frames") == ["Constrained Baseline", "avc1", "0"])
    // Raw samples, each after its length in two bytes. Empty ones stand between texts that end before the next begins.
    try run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:s", "-c", "copy", "-f", "data", scratch.path("text")])
    let written = try scratch.bytes(of: "text").split(separator: UInt8(ascii: "\n"))
    let lines = written.map { String(decoding: $0.drop { $0 < 32 }, as: UTF8.self) }.filter { !$0.isEmpty }
    #expect(lines == times.map { "{\"n\":\($0)}" })
    try run("ffmpeg", ["-v", "error", "-xerror", "-i", path, "-f", "null", "-"])
  }

  @Test("A file that nobody finished plays up to its last key frame")
  func unfinished() throws {
    let encoding = try Encoding(frames: 100)
    let path = scratch.path("out.mp4")
    do {
      var writer = try MP4Writer(path: path, first: encoding.units[0], frameRate: 30)
      for unit in encoding.units { try writer.add(unit) }
    }
    #expect(try timestamps(path).count == 90)
    try run("ffmpeg", ["-v", "error", "-xerror", "-i", path, "-f", "null", "-"])
  }

  @Test("A file that is there already is left alone, and a folder that is not is said")
  func exists() throws {
    let unit = try Encoding(frames: 1).units[0]
    let path = try scratch.write([1, 2, 3], to: "there.mp4")
    #expect(throws: MP4Writer.Failure(code: EEXIST)) { _ = try MP4Writer(path: path, first: unit, frameRate: 30) }
    #expect(try scratch.bytes(of: "there.mp4") == [1, 2, 3])
    #expect(throws: MP4Writer.Failure(code: ENOENT)) {
      _ = try MP4Writer(path: scratch.path("no/file.mp4"), first: unit, frameRate: 30)
    }
  }

  @Test(
    "A photo is a JPEG of at most 1920x1440 that shows the frame",
    arguments: [(640, 480, 640, 480), (2560, 1440, 1920, 1080)])
  func photo(width: Int, height: Int, photoWidth: Int, photoHeight: Int) throws {
    let frame = gradient(width, height)
    let path = try scratch.write(try Photo.jpeg(of: frame), to: "photo.jpg")
    #expect(try probe(path, "stream=codec_name,width,height") == ["mjpeg", "\(photoWidth)", "\(photoHeight)"])
    let source = try scratch.write(frame.withPixels { Array($0) }, to: "frame.bgr")
    try run(
      "ffmpeg",
      [
        "-v", "error", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", "\(width)x\(height)", "-i", source, "-vf",
        "scale=\(photoWidth):\(photoHeight)", scratch.path("frame.png"),
      ])
    #expect(try lumaPSNR(path, against: scratch.path("frame.png")) > 35)
  }
}

extension AccessUnit {
  fileprivate func retimed(to timestamp: Int64) -> AccessUnit {
    AccessUnit(bytes: bytes, timestamp: timestamp, isKeyFrame: isKeyFrame)
  }
}
