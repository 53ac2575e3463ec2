// Parameter sets, judged by what ffmpeg makes of the same stream.
import Testing

@testable import VideoEncoding

@Suite("Parameter sets")
struct ParameterSetTests {
  private let scratch = try! Scratch()

  private func sequence(_ stream: [UInt8]) throws -> NALUnit {
    try #require(AnnexB.units(in: stream).first { $0.kind == .sequenceParameters })
  }

  @Test(
    "x264's sets give the size that was asked for, in every profile, cropped and interlaced",
    arguments: [
      (["-profile:v", "baseline"], 640, 480, 66), (["-profile:v", "main", "-vf", "scale=322:182"], 322, 182, 77),
      (["-profile:v", "high", "-vf", "scale=1920:1080"], 1920, 1080, 100),
      (["-vf", "scale=318:242", "-pix_fmt", "yuv444p"], 318, 242, 244),
      (["-vf", "scale=320:232", "-x264-params", "interlaced=1"], 320, 232, 100),
      (["-vf", "scale=322:242", "-x264-params", "cqm=jvt"], 322, 242, 100),
    ] as [([String], Int, Int, UInt8)])
  func sizes(options: [String], width: Int, height: Int, profile: UInt8) throws {
    try run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=640x480", "-pix_fmt", "yuv420p"] + options
        + ["-frames:v", "1", "-c:v", "libx264", "-f", "h264", "-y", scratch.path("one.h264")])
    let set = try SequenceParameterSet(try sequence(scratch.bytes(of: "one.h264")))
    #expect(set.width == width && set.height == height && set.profile == profile)
  }

  @Test("The encoder's sets say constrained baseline, no arithmetic coding, and a codec string that browsers know")
  func encoder() throws {
    let units = AnnexB.units(in: try Encoding(frames: 1).stream)
    let set = try SequenceParameterSet(try #require(units.first))
    #expect(set.isConstrainedBaseline && set.width == 640 && set.height == 480)
    #expect(set.codecString.wholeMatch(of: /avc1\.42[C-F]01[0-9A-F]|avc1\.42[C-F]0[0-9A-F]{2}/) != nil)
    let picture = try PictureParameterSet(try #require(units.first { $0.kind == .pictureParameters }))
    #expect(!picture.usesArithmeticCoding && picture.sequenceIdentifier == set.identifier)
  }

  @Test("The avcC of a stream is the one that ffmpeg writes")
  func configuration() throws {
    let units = AnnexB.units(in: try Encoding(frames: 3).stream)
    // With start codes of three bytes: ffmpeg takes the first zero of longer ones for a part of the set before.
    let path = try scratch.write(units.flatMap { [0, 0, 1] + $0.bytes }, to: "own.h264")
    try run("ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-c", "copy", scratch.path("own.mp4")])
    let configuration = try AVCConfiguration(units).bytes
    let file = try scratch.bytes(of: "own.mp4")
    let box = try #require(file.firstRange(of: Array("avcC".utf8)))
    #expect(Array(file[box.upperBound...].prefix(configuration.count)) == configuration)
  }

  @Test("A set that is cut anywhere before its end is refused, and none crashes the parser")
  func truncated() throws {
    let whole = try sequence(try x264(scratch, "-profile:v", "high"))
    for count in 1..<8 {
      #expect(throws: H264Error.self) { try SequenceParameterSet(NALUnit(whole.bytes.prefix(count))!) }
    }
    for index in whole.bytes.indices.dropFirst() {
      for bit in 0..<8 {
        var bytes = whole.bytes
        bytes[index] ^= 1 << bit
        _ = try? SequenceParameterSet(NALUnit(bytes)!)
      }
    }
  }

  @Test("Sets that ask for more than level 5.2 has, or crop everything away, are refused")
  func limits() {
    // 66, 0, 31; id 0; log2 0; order 2; refs 1; gaps 0; then the size.
    func set(_ size: String) -> NALUnit {
      let head = "01000010" + "00000000" + "00011111" + "1" + "1" + "011" + "010" + "0"
      let bits = Array(head + size)
      let padded = bits + [Character](repeating: "0", count: (8 - bits.count % 8) % 8)
      let bytes = stride(from: 0, to: padded.count, by: 8).map { UInt8(String(padded[$0..<$0 + 8]), radix: 2)! }
      return NALUnit(([0x67] + bytes)[...])!
    }
    // ue(511) in 19 bits: 512 macroblocks a side.
    let side = "000000000" + "1000000000"
    #expect(throws: H264Error.unsupported("pictures beyond level 5.2")) {
      try SequenceParameterSet(set(side + side + "1" + "1" + "0" + "0"))
    }
    // One macroblock, of which 8 + 0 pairs of columns are cropped.
    #expect(throws: H264Error.invalid("frame_cropping")) {
      try SequenceParameterSet(set("1" + "1" + "1" + "1" + "1" + "0001001" + "1" + "1" + "1" + "0"))
    }
    #expect(throws: H264Error.invalid("pic_width_in_mbs_minus1")) {
      try SequenceParameterSet(set("00000000000000001" + "0000000000000000" + "1"))
    }
  }

  @Test("Units without both kinds of sets make no avcC")
  func missing() throws {
    let units = AnnexB.units(in: try Encoding(frames: 1).stream)
    #expect(throws: H264Error.invalid("sequence parameter set")) { try AVCConfiguration([]) }
    #expect(throws: H264Error.invalid("picture parameter set")) { try AVCConfiguration(Array(units.prefix(1))) }
  }
}
