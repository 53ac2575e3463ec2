// The encoder, judged by ffprobe and ffmpeg.
import Capture
import Fixtures
import Frames
import Testing

@testable import VideoEncoding

@Suite("Video encoder")
struct VideoEncoderTests {
  private let scratch = try! Scratch()

  @Test("Ten seconds: constrained baseline without B-frames, every frame, a key frame each second, the bit rate held")
  func tenSeconds() throws {
    let encoding = try Encoding(frames: 300)
    let path = try scratch.write(encoding.stream, to: "out.h264")
    #expect(try probe(path, "stream=profile,has_b_frames") == ["Constrained Baseline", "0"])
    let types = try probe(path, "frame=pict_type")
    #expect(types == (0..<300).map { $0 % 30 == 0 ? "I" : "P" })
    #expect(encoding.keyFrames == Array(stride(from: 0, to: 300, by: 30)))
    #expect(abs(encoding.bitRate(0..<300) / 1_000_000 - 1) <= 0.1)
  }

  @Test("The dark clip at 1 Mbit/s keeps its luma to 36 dB", .enabled(if: Checkout.hasCases, "skipped: no cases"))
  func quality() throws {
    let clip = Checkout.cases.appending(path: "demo-dark.mp4").path()
    let encoding = try Encoding(clip, frames: .max)
    let path = try scratch.write(encoding.stream, to: "dark.h264")
    #expect(try lumaPSNR(path, against: clip) >= 36)
  }

  @Test("A requested key frame is the next one, and a second from it comes the next")
  func requested() throws {
    let encoding = try Encoding(frames: 60) { index, encoder in
      if index == 17 { encoder.requestKeyFrame() }
    }
    #expect(encoding.keyFrames == [0, 17, 47])
    let path = try scratch.write(encoding.stream, to: "out.h264")
    let keys = try probe(path, "frame=key_frame")
    #expect(keys.indices.filter { keys[$0] == "1" } == [0, 17, 47])
  }

  @Test("Each key frame has its parameter sets before it, and each access unit one picture")
  func parameterSets() throws {
    for unit in try Encoding(frames: 40).units {
      let kinds = AnnexB.units(in: unit.bytes).map(\.kind)
      #expect(kinds == (unit.isKeyFrame ? [.sequenceParameters, .pictureParameters, .keySlice] : [.slice]))
    }
  }

  @Test("Rates changed on the way are held from then on, and all is one stream")
  func rates() throws {
    let encoding = try Encoding(frames: 420, width: 320, height: 240, bitRate: 400_000) { index, encoder in
      if index == 180 { try encoder.setRates(bitRate: 100_000, frameRate: 30) }
    }
    #expect(abs(encoding.bitRate(0..<180) / 400_000 - 1) <= 0.1)
    #expect(abs(encoding.bitRate(210..<420) / 100_000 - 1) <= 0.1)
    let path = try scratch.write(encoding.stream, to: "out.h264")
    #expect(try probe(path, "frame=pict_type").count == 420)
  }

  @Test("A slower frame rate leaves more bits to each frame, and key frames follow the pictures' time")
  func frameRate() throws {
    let picture = I420Picture(width: 320, height: 240)
    var encoder = try VideoEncoder(width: 320, height: 240, bitRate: 500_000, frameRate: 30)
    try encoder.setRates(bitRate: 500_000, frameRate: 10)
    let keys = try (0..<31).filter { try encoder.encode(picture, at: Int64($0) * 100_000_000).isKeyFrame }
    #expect(keys == [0, 10, 20, 30])
  }

  @Test("A frame rate of 60 and the booth's largest picture are taken")
  func booth() throws {
    let settings = EncodingSettings.booth(.high, frameRate: 60)
    let size = settings.size(width: 1920, height: 1080)
    var encoder = try VideoEncoder(
      width: size.width, height: size.height, bitRate: settings.bitRate, frameRate: settings.frameRate)
    let unit = try encoder.encode(I420Picture(width: 1920, height: 1080), at: 0)
    let set = try SequenceParameterSet(try #require(AnnexB.units(in: unit.bytes).first))
    #expect(set.width == 1920 && set.height == 1080 && set.isConstrainedBaseline)
  }

  @Test(
    "Pictures are fitted into the booth's size, upright or across, never enlarged, on even sides",
    arguments: [
      (640, 480, 640, 480), (1920, 1080, 1920, 1080), (3840, 2160, 1920, 1080), (2160, 3840, 1080, 1920),
      (641, 481, 640, 480), (8192, 16, 1920, 16), (5, 5, 16, 16),
    ])
  func fitted(width: Int, height: Int, encodedWidth: Int, encodedHeight: Int) {
    let size = EncodingSettings.booth().size(width: width, height: height)
    #expect(size == (encodedWidth, encodedHeight))
  }

  @Test("A picture in picture shows the middle of the frame, in its right shape")
  func middle() throws {
    // Left and right eighths are white, the square between them grey.
    let frame = Frame(index: 0, timestamp: 0, format: .bgr24, width: 640, height: 480, bytesPerRow: 1920) { pixels in
      for index in 0..<pixels.count { pixels[index] = (80..<560).contains(index / 3 % 640) ? 128 : 255 }
    }
    var encoder = FrameEncoder(.pictureInPicture)
    var picture: I420Picture?
    _ = try encoder.encode(frame, at: 0) { picture = $0 }
    let luma = Set(try #require(picture).samples(of: .luma))
    #expect(encoder.size! == (192, 192))
    // BT.601: 16 + 219 · 128 / 255.
    #expect(luma.allSatisfy { (125...127).contains($0) })
  }

  @Test("Colours are BT.601's and said to be")
  func colours() throws {
    let frame = Frame(index: 0, timestamp: 0, format: .bgr24, width: 64, height: 64, bytesPerRow: 192) { pixels in
      for index in 0..<pixels.count { pixels[index] = index % 3 == 2 ? 255 : 0 }
    }
    var encoder = FrameEncoder(.booth())
    var picture: I420Picture?
    let unit = try encoder.encode(frame, at: 0) { picture = $0 }
    let red = try #require(picture)
    #expect(abs(Int(red[.luma, 30, 30]) - 81) <= 1 && abs(Int(red[.blue, 15, 15]) - 90) <= 1)
    #expect(abs(Int(red[.red, 15, 15]) - 240) <= 1)
    let path = try scratch.write(unit.bytes, to: "red.h264")
    #expect(try probe(path, "stream=color_space,color_range") == ["tv", "smpte170m"])
  }

  @Test("Frames that change their size go on in the new one, beginning with a key frame")
  func resized() throws {
    var encoder = FrameEncoder(.booth())
    func frame(_ side: Int) -> Frame {
      Frame(index: 0, timestamp: 0, format: .bgr24, width: side, height: side, bytesPerRow: side * 3) {
        $0.initializeMemory(as: UInt8.self, repeating: 90)
      }
    }
    #expect(try encoder.encode(frame(64), at: 0).isKeyFrame)
    #expect(try !encoder.encode(frame(64), at: 33_000_000).isKeyFrame)
    #expect(try encoder.encode(frame(128), at: 66_000_000).isKeyFrame)
    #expect(encoder.size! == (128, 128))
  }

  @Test("Sizes that the encoder does not take are refused", arguments: [(8192, 8192), (0, 0)])
  func refused(width: Int, height: Int) {
    #expect(throws: VideoEncodingError.unsupported(width: width, height: height)) {
      _ = try VideoEncoder(width: width, height: height, bitRate: 1_000_000, frameRate: 30)
    }
  }
}
