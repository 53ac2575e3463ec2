// The decoder: pictures at once, nothing made up, whole again with the next key frame.
import Testing

@testable import VideoEncoding

@Suite("Video decoder")
struct VideoDecoderTests {
  private let scratch = try! Scratch()

  /// ffmpeg's pictures of a stream, as planes one after another.
  private func ffmpegPictures(_ stream: [UInt8]) throws -> [UInt8] {
    let path = try scratch.write(stream, to: "in.h264")
    try run(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-y",
        scratch.path("out.yuv"),
      ])
    return try scratch.bytes(of: "out.yuv")
  }

  private func planes(_ picture: I420Picture) -> [UInt8] {
    I420Picture.Plane.allCases.flatMap { picture.samples(of: $0) }
  }

  @Test("Each access unit is decoded when it comes, to the same samples as by ffmpeg")
  func samples() throws {
    let encoding = try Encoding(frames: 8, width: 322, height: 242)
    var decoder = try VideoDecoder()
    var decoded: [UInt8] = []
    for unit in encoding.units { decoded += planes(try #require(try decoder.decode(unit.bytes))) }
    #expect(decoded == (try ffmpegPictures(encoding.stream)))
  }

  @Test("x264's baseline is decoded too, to the same samples")
  func foreign() throws {
    let stream = try x264(scratch, "-profile:v", "baseline", "-tune", "zerolatency", "-vf", "scale=160:120")
    var decoder = try VideoDecoder()
    var decoded: [UInt8] = []
    var head: [NALUnit] = []
    for unit in AnnexB.units(in: stream) {
      head.append(unit)
      guard unit.kind == .slice || unit.kind == .keySlice else { continue }
      if let picture = try decoder.decode(AnnexB.bytes(of: head)) { decoded += planes(picture) }
      head = []
    }
    #expect(decoded == (try ffmpegPictures(stream)))
  }

  @Test("Who joins late sees nothing before the next key frame, and then the right picture")
  func late() throws {
    let encoding = try Encoding(frames: 31, width: 192, height: 144)
    var whole = try VideoDecoder()
    var late = try VideoDecoder()
    for (index, unit) in encoding.units.enumerated() {
      let expected = try whole.decode(unit.bytes)
      guard index >= 5 else { continue }
      let seen = try late.decode(unit.bytes)
      #expect(seen == (index < 30 ? nil : expected))
    }
  }

  @Test("A lost access unit holds pictures back until the next key frame")
  func lost() throws {
    let encoding = try Encoding(frames: 32, width: 192, height: 144)
    var decoder = try VideoDecoder()
    var shown: [Int] = []
    for (index, unit) in encoding.units.enumerated() where index != 10 {
      if let picture = try? decoder.decode(unit.bytes), picture.width == 192 { shown.append(index) }
    }
    #expect(shown == Array(0..<10) + [30, 31])
  }

  @Test("Damage is said, and mended by the next key frame")
  func damaged() throws {
    let encoding = try Encoding(frames: 31, width: 192, height: 144)
    var decoder = try VideoDecoder()
    _ = try decoder.decode(encoding.units[0].bytes)
    let before = decoder.awaitsKeyFrame
    #expect(!before)
    #expect(throws: H264Error.damaged) { try decoder.decode(Array(encoding.units[1].bytes.prefix(8)) + [1, 2, 3]) }
    let after = decoder.awaitsKeyFrame
    #expect(after)
    #expect(try decoder.decode(encoding.units[2].bytes) == nil)
    #expect(try decoder.decode(encoding.units[30].bytes) != nil)
  }

  @Test("No bytes and bytes without a NAL unit are no picture")
  func nothing() throws {
    var decoder = try VideoDecoder()
    #expect(try decoder.decode([]) == nil)
    #expect(try decoder.decode([1, 2, 3]) == nil)
  }
}
