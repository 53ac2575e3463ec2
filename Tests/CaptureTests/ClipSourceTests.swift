// What a clip delivers: which frames, when, how large, and the right way up.
import Capture
import Fixtures
import Foundation
import Frames
import Testing

@Suite("Clips", .timeLimit(.minutes(2)))
struct ClipSourceTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  // What is given

  @Test(
    "Every frame of a given clip comes at its time", .enabled(if: Checkout.hasCases, "skipped: no cases"),
    arguments: ["demo.mp4", "real/man-smiling.gif", "real/two-people-tilt.gif", "real/three-people-walk-up.gif"])
  func givenClips(name: String) throws {
    let clip = try ClipSource(path: Checkout.cases.appending(path: name).path(), pace: .fast)
    let probe = try Probe(Checkout.cases.appending(path: name).path())
    let frames = try allFrames(of: clip) { _ in }
    #expect(frames.count == probe.timestamps.count)
    #expect(differences(frames, probe.timestamps) <= 1)
    #expect(clip.description.size == probe.size)
  }

  @Test("The demo clip describes itself", .enabled(if: Checkout.hasCases, "skipped: no cases"))
  func demoDescription() throws {
    let clip = try ClipSource(path: Checkout.cases.appending(path: "demo.mp4").path(), pace: .fast)
    #expect(
      clip.description
        == SourceDescription(kind: .clip, name: "demo.mp4", width: 640, height: 480, frameRate: 30))
    #expect(clip.duration == 28_000_000_000)
  }

  @Test("A single picture is a clip of one frame", .enabled(if: Checkout.hasCases, "skipped: no cases"))
  func portrait() throws {
    let path = Checkout.cases.appending(path: "portrait.png").path()
    let clip = try ClipSource(path: path, pace: .fast)
    let frame = try #require(try clip.next())
    #expect(try clip.next() == nil)
    #expect(frame.size == Size(512, 512))
    #expect(frame.index == 0)
    #expect(frame.timestamp == 0)
    // PNG is lossless, so the pixels are the file's own.
    let reference = scratch.path("portrait.bgr")
    try scratch.ffmpeg("-i", URL(fileURLWithPath: path).path, "-f", "rawvideo", "-pix_fmt", "bgr24", "portrait.bgr")
    #expect(try tightPixels(frame) == [UInt8](Data(contentsOf: URL(fileURLWithPath: reference))))
  }

  // Time

  @Test(
    "Frame times are ffprobe's in every container and codec",
    arguments: [
      ["-c:v", "libx264", "-bf", "2", "a.mp4"], ["-c:v", "libx264", "-bf", "2", "a.mkv"],
      ["-c:v", "libx264", "-bf", "2", "a.ts"], ["-c:v", "libvpx", "a.webm"], ["-c:v", "mjpeg", "a.avi"],
      ["-c:v", "ffv1", "-pix_fmt", "yuv422p10le", "a.mkv"], ["a.gif"], ["-c:v", "apng", "-f", "apng", "a.png"],
    ])
  func containers(output: [String]) throws {
    let name = try #require(output.last)
    let input = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=20:d=1"]
    _ = try run("ffmpeg", ["-v", "error"] + input + output, in: scratch.folder)
    let times = try allTimes(of: ClipSource(path: scratch.path(name), pace: .fast))
    #expect(times.count == 20)
    #expect(try differences(times, Probe(scratch.path(name)).timestamps) <= 1)
  }

  @Test("A variable frame rate is kept")
  func variableFrameRate() throws {
    let path = try scratch.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=50:d=2", "-vf", "select='not(mod(n*n,7)-1)+eq(n,0)'", "-vsync", "vfr",
      "-c:v", "libx264", "vfr.mp4")
    let times = try allTimes(of: ClipSource(path: path, pace: .fast))
    let gaps = Set(zip(times.dropFirst(), times).map { $0 - $1 })
    #expect(gaps == [20_000_000, 40_000_000, 100_000_000])
    #expect(try differences(times, Probe(path).timestamps) == 0)
  }

  @Test("A stream without timestamps gets those of its frame rate")
  func noTimestamps() throws {
    let path = try scratch.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=20:d=1", "-c:v", "libx264", "-bf", "2", "a.h264")
    let times = try allTimes(of: ClipSource(path: path, pace: .fast))
    #expect(times == regular(0..<20, every: 50_000_000))
  }

  @Test("Time goes on when a file's timestamps start again, and frames carry the size they have")
  func sizeChangesMidway() throws {
    for (name, size) in [("a.ts", "64x48"), ("b.ts", "96x80")] {
      try scratch.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=1", "-c:v", "libx264", "-bf", "0", name)
    }
    let path = try scratch.write(scratch.bytes(of: "a.ts") + scratch.bytes(of: "b.ts"), to: "both.ts")
    var widths: [Int] = []
    let times = try allFrames(of: ClipSource(path: path, pace: .fast)) { frame in
      widths.append(frame.width)
      #expect(frame.withPixels { $0.count } == frame.bytesPerRow * frame.format.rows(height: frame.height))
    }
    #expect(widths[..<25].allSatisfy { $0 == 64 } && widths[25...].allSatisfy { $0 == 96 })
    #expect(times == regular(0..<50, every: 40_000_000))
  }

  // Space

  /// Red, green above blue, white.
  private func quadrants(_ name: String) throws -> String {
    let colours = ["red", "lime", "blue", "white"].flatMap { ["-f", "lavfi", "-i", "color=\($0):s=40x32:r=5:d=1"] }
    let filter = "[0][1]hstack[t];[2][3]hstack[b];[t][b]vstack"
    _ = try run(
      "ffmpeg", ["-v", "error", "-y"] + colours + ["-filter_complex", filter, "-c:v", "libx264", name],
      in: scratch.folder)
    return scratch.path(name)
  }

  /// A display matrix' a, b, c, d: a pixel at (p, q) is shown at (a p + c q, b p + d q), ISO 14496-12.
  @Test(
    "A clip filmed with a turned or mirrored camera is shown as its display matrix says",
    arguments: [
      ([1, 0, 0, 1], [Colour.red, .green, .blue, .white]), ([0, 1, -1, 0], [.blue, .red, .white, .green]),
      ([-1, 0, 0, -1], [.white, .blue, .green, .red]), ([0, -1, 1, 0], [.green, .white, .red, .blue]),
      ([-1, 0, 0, 1], [.green, .red, .white, .blue]), ([1, 0, 0, -1], [.blue, .white, .red, .green]),
      ([0, 1, 1, 0], [.red, .blue, .green, .white]), ([0, -1, -1, 0], [.white, .green, .blue, .red]),
    ])
  func displayMatrix(matrix: [Int32], expected: [Colour]) throws {
    _ = try quadrants("plain.mp4")
    var bytes = try scratch.bytes(of: "plain.mp4")
    // In a track header of version 0 the matrix a b u c d v x y w, 16.16 fixed point, begins 44 bytes after the type.
    let start = try #require(bytes.firstRange(of: "tkhd".utf8)).lowerBound + 44
    for (field, value) in zip([0, 1, 3, 4], matrix) {
      let place = start + field * 4
      withUnsafeBytes(of: (value << 16).bigEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
    }
    let clip = try ClipSource(path: scratch.write(bytes, to: "turned.mp4"), pace: .fast)
    let size = matrix[0] == 0 ? Size(64, 80) : Size(80, 64)
    #expect(clip.description.size == size)
    let frame = try #require(try clip.next())
    #expect(frame.size == size)
    #expect(corners(of: frame) == expected)
  }

  @Test("A turned clip has the pixels ffmpeg gives it", arguments: [90, 180, 270])
  func rotation(degrees: Int) throws {
    try scratch.ffmpeg("-f", "lavfi", "-i", "testsrc=s=80x64:r=5:d=1", "-c:v", "libx264", "plain.mp4")
    let path = try scratch.ffmpeg(
      "-i", "plain.mp4", "-c", "copy", "-metadata:s:v:0", "rotate=\(degrees)", "turned.mp4")
    let frame = try #require(try ClipSource(path: path, pace: .fast).next())
    try scratch.ffmpeg("-i", "turned.mp4", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "bgr24", "turned.bgr")
    let reference = try scratch.bytes(of: "turned.bgr")
    let pixels = tightPixels(frame)
    try #require(pixels.count == reference.count)
    // ffmpeg turns before it converts, so chroma is interpolated from other neighbours.
    let difference = zip(pixels, reference).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(difference < 4 * pixels.count)
  }

  @Test("Every pixel is painted, whatever the width", arguments: 1...67, ["420jpeg", "422", "444"])
  func allWidths(width: Int, sampling: String) throws {
    let path = try scratch.write(rawVideo(width: width, height: 3, luma: 235, sampling: sampling), to: "white.y4m")
    let frame = try #require(try ClipSource(path: path, pace: .fast).next())
    #expect(frame.size == Size(width, 3))
    #expect(tightPixels(frame).allSatisfy { $0 >= 253 })
  }

  @Test(
    "A clip's planes are handed on, with the meaning the file states for them",
    arguments: [
      (["-pix_fmt", "yuv420p"], .yuv(.i420, .video)),
      (["-pix_fmt", "yuv422p"], .yuv(.i422, .video)),
      (["-pix_fmt", "yuv420p", "-color_range", "pc"], .yuv(.i420, .jpeg)),
      (["-pix_fmt", "yuv420p", "-colorspace", "bt709"], .yuv(.i420, ColourEncoding(.bt709, isFullRange: false))),
      (["-pix_fmt", "yuv420p", "-colorspace", "bt2020nc"], .bgr24),
      (["-pix_fmt", "yuv444p"], .bgr24),
    ] as [([String], PixelFormat)])
  func planes(options: [String], format: PixelFormat) throws {
    let arguments = ["-f", "lavfi", "-i", "testsrc2=s=66x50:r=5:d=1", "-c:v", "libx264"] + options + ["planes.mp4"]
    _ = try run("ffmpeg", ["-v", "error", "-y"] + arguments, in: scratch.folder)
    let frame = try #require(try ClipSource(path: scratch.path("planes.mp4"), pace: .fast).next())
    #expect(frame.format == format)
    guard case .yuv(let layout, _) = format else { return }
    // The decoder's own planes, one after the other.
    try scratch.ffmpeg("-i", "planes.mp4", "-frames:v", "1", "-f", "rawvideo", "planes.yuv")
    let reference = try scratch.bytes(of: "planes.yuv")
    #expect(frame.rearranged(as: layout).withPixels { Array($0) } == reference)
  }

  @Test("Pixels that are not square are made square")
  func anamorphic() throws {
    let path = try scratch.write(rawVideo(width: 64, height: 48, luma: 235, extra: " A16:11"), to: "wide.y4m")
    let frame = try #require(try ClipSource(path: path, pace: .fast).next())
    #expect(frame.size == Size(93, 48))
    #expect(tightPixels(frame).allSatisfy { $0 >= 253 })
  }

  // Damage

  @Test("A truncated clip gives the frames that are left")
  func truncated() throws {
    try scratch.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=20:d=4", "-c:v", "libx264", "-movflags", "faststart", "whole.mp4")
    let whole = try scratch.bytes(of: "whole.mp4")
    let path = try scratch.write(whole.prefix(whole.count * 6 / 10), to: "cut.mp4")
    let times = try allTimes(of: ClipSource(path: path, pace: .fast))
    #expect((1..<80).contains(times.count))
    #expect(try differences(times, Probe(path).timestamps) <= 1)
  }

  @Test("Damaged packets are skipped and counted, the others decoded")
  func damagedPackets() throws {
    try scratch.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=20:d=1", "-c:v", "magicyuv", "a.avi")
    var bytes = try scratch.bytes(of: "a.avi")
    // Every packet begins with the codec's name; so, once, does the file's header.
    let packets = bytes.ranges(of: "MAGY".utf8).dropFirst()
    for packet in packets.dropFirst(2).prefix(2) { bytes.replaceSubrange(packet, with: [0, 0, 0, 0]) }
    let clip = try ClipSource(path: scratch.write(bytes, to: "damaged.avi"), pace: .fast)
    let times = try allTimes(of: clip)
    #expect(times == regular(0..<2, every: 50_000_000) + regular(4..<20, every: 50_000_000))
    #expect(clip.metrics.framesIn == 20)
    #expect(clip.metrics.framesOut == 18)
    #expect(clip.metrics.framesDropped == 2)
    #expect(clip.metrics.latency.count == 18)
  }
}

/// A pure colour as a corner shows it.
enum Colour: Sendable {
  case red, green, blue, white, other
}

/// Top left, top right, bottom left, bottom right.
private func corners(of picture: Frame) -> [Colour] {
  let frame = picture.bgr
  return [(4, 4), (frame.width - 5, 4), (4, frame.height - 5), (frame.width - 5, frame.height - 5)].map { x, y in
    let pixel = frame.withPixels { Array($0[y * frame.bytesPerRow + x * 3..<y * frame.bytesPerRow + x * 3 + 3]) }
    return switch pixel.map({ $0 > 200 ? 1 : $0 < 55 ? 0 : -1 }) {
    case [0, 0, 1]: .red
    case [0, 1, 0]: .green
    case [1, 0, 0]: .blue
    case [1, 1, 1]: .white
    default: .other
    }
  }
}

/// The pixels as blue, green and red, without what pads the rows.
private func tightPixels(_ picture: Frame) -> [UInt8] {
  let frame = picture.bgr
  return frame.withPixels { pixels in
    (0..<frame.height).flatMap { pixels[$0 * frame.bytesPerRow..<$0 * frame.bytesPerRow + frame.width * 3] }
  }
}

/// One grey YUV4MPEG2 frame (limited range).
private func rawVideo(
  width: Int, height: Int, luma: UInt8, extra: String = "", sampling: String = "420jpeg"
) -> [UInt8] {
  let chromaWidth = sampling == "444" ? width : (width + 1) / 2
  let chroma = chromaWidth * (sampling == "420jpeg" ? (height + 1) / 2 : height) * 2
  return Array("YUV4MPEG2 W\(width) H\(height) F25:1 Ip\(extra) C\(sampling)\nFRAME\n".utf8)
    + Array(repeating: luma, count: width * height) + Array(repeating: 128, count: chroma)
}

/// Reads a clip to its end and returns its frames' times; indices must count up from 0.
private func allFrames(of clip: ClipSource, look: (Frame) -> Void) throws -> [Int64] {
  var times: [Int64] = []
  while let frame = try clip.next() {
    #expect(frame.index == times.count)
    times.append(frame.timestamp)
    look(frame)
  }
  return times
}

private func allTimes(of clip: ClipSource) throws -> [Int64] { try allFrames(of: clip) { _ in } }

/// The times, in nanoseconds, of frames `range` at a fixed rate.
private func regular(_ range: Range<Int64>, every gap: Int64) -> [Int64] { range.map { $0 * gap } }

/// The largest difference; `.max` when the counts differ.
private func differences(_ left: [Int64], _ right: [Int64]) -> Int64 {
  left.count == right.count ? zip(left, right).map { abs($0 - $1) }.max() ?? 0 : .max
}
