// Camera pictures to pixels, from pictures that ffmpeg wrote.
import CV4L2
import Fixtures
import Frames
import Testing

@testable import Capture

@Suite("Camera decoder")
struct CameraDecoderTests {
  private static let size = Size(64, 48)

  private func mode(_ format: StaticString, _ size: Size = size, bytesPerLine: Int = 0) -> camera_mode {
    var mode = camera_mode()
    mode.format = CameraFormat(format).code
    mode.width = UInt32(size.width)
    mode.height = UInt32(size.height)
    mode.bytes_per_line = UInt32(bytesPerLine)
    return mode
  }

  /// `nil` for a damaged picture.
  private func frame(_ picture: [UInt8], _ mode: camera_mode) throws -> Frame? {
    guard let decoder = CameraDecoder() else { throw CaptureError.outOfMemory(path: "") }
    return picture.withUnsafeBytes { decoder.frame(of: $0, mode, index: 0, timestamp: 0) }
  }

  /// Blue, green, red of every pixel; `nil` for a damaged picture.
  private func decode(_ picture: [UInt8], _ mode: camera_mode) throws -> [UInt8]? {
    try frame(picture, mode).map { frame in frame.bgr.withPixels { Array($0) } }
  }

  /// One orange picture, as ffmpeg's arguments say.
  private func orange(_ size: Size = size, _ arguments: String...) throws -> [UInt8] {
    try picture("color=0xE08020", size, arguments)
  }

  /// One with all kinds of values.
  private func testPicture(_ size: Size, _ arguments: String...) throws -> [UInt8] {
    try picture("testsrc2", size, arguments)
  }

  private func picture(_ source: String, _ size: Size, _ arguments: [String]) throws -> [UInt8] {
    let scratch = try Scratch()
    let scale = "scale=\(size.width):\(size.height)"
    _ = try run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "1", "-vf", scale] + arguments + ["picture"],
      in: scratch.folder)
    return try scratch.bytes(of: "picture")
  }

  private func jpeg(_ size: Size = size, _ format: String = "yuvj420p") throws -> [UInt8] {
    try orange(size, "-c:v", "mjpeg", "-huffman", "default", "-pix_fmt", format, "-f", "mjpeg")
  }

  private func isOrange(_ pixels: [UInt8]?) throws -> Bool {
    let pixels = try #require(pixels)
    let (blue, green, red) = (0x20, 0x80, 0xE0)
    return stride(from: 0, to: pixels.count, by: 3).allSatisfy { at in
      // libv4lconvert takes video's narrower range as it is: bright colours come out up to 15 too dark.
      abs(Int(pixels[at]) - blue) < 16 && abs(Int(pixels[at + 1]) - green) < 16 && abs(Int(pixels[at + 2]) - red) < 16
    }
  }

  @Test(
    "Uncompressed pictures come out in their colours",
    arguments: [
      ("YUYV", "yuyv422"), ("UYVY", "uyvy422"), ("NV12", "nv12"), ("YU12", "yuv420p"), ("RGB3", "rgb24"),
      ("BGR3", "bgr24"),
    ] as [(StaticString, String)])
  func uncompressed(format: StaticString, name: String) throws {
    let picture = try orange(Self.size, "-pix_fmt", name, "-f", "rawvideo")
    #expect(try isOrange(try decode(picture, mode(format))))
    #expect(try decode(picture.dropLast(), mode(format)) == nil)
    #expect(try decode([], mode(format)) == nil)
  }

  @Test(
    "Luma and chroma are handed on as the camera gives them",
    arguments: [
      ("YUYV", "yuyv422", .yuyv), ("NV12", "nv12", .nv12), ("YU12", "yuv420p", .i420),
    ] as [(StaticString, String, ChromaLayout)])
  func handedOn(format: StaticString, name: String, layout: ChromaLayout) throws {
    let picture = try testPicture(Self.size, "-pix_fmt", name, "-f", "rawvideo")
    let frame = try #require(try frame(picture, mode(format)))
    #expect(frame.format == .yuv(layout, .video))
    #expect(frame.rearranged(as: layout).withPixels { Array($0) } == picture)
  }

  @Test(
    "Where odd sides leave shared colours undefined, a picture is damaged",
    arguments: [
      ("NV12", Size(64, 47)), ("YU12", Size(64, 47)), ("YU12", Size(63, 48)), ("YV12", Size(63, 48)),
      ("YUYV", Size(63, 48)), ("BA81", Size(64, 47)), ("RGGB", Size(2, 48)),
    ] as [(StaticString, Size)])
  func oddSides(format: StaticString, size: Size) throws {
    #expect(try frame([UInt8](repeating: 128, count: 64 * 48 * 2), mode(format, size)) == nil)
  }

  @Test("An odd height leaves colours shared within rows as they are")
  func oddHeight() throws {
    let picture = [UInt8](repeating: 128, count: 64 * 47 * 2)
    #expect(try frame(picture, mode("YUYV", Size(64, 47)))?.format == .bgr24)
  }

  @Test(
    "A JPEG's planes are handed on as another decoder sees them, odd sizes included",
    arguments: [("420", .i420), ("422", .i422)] as [(String, ChromaLayout)], [Size(64, 48), Size(61, 47), Size(9, 5)])
  func jpegPlanes(kind: (sampling: String, layout: ChromaLayout), size: Size) throws {
    let (sampling, layout) = kind
    let scratch = try Scratch()
    let picture = try testPicture(size, "-c:v", "mjpeg", "-pix_fmt", "yuvj\(sampling)p", "-f", "mjpeg")
    _ = try scratch.write(picture, to: "picture.jpg")
    try scratch.ffmpeg("-i", "picture.jpg", "-f", "rawvideo", "-pix_fmt", "yuvj\(sampling)p", "picture.yuv")
    let frame = try #require(try frame(picture, mode("MJPG", size)))
    #expect(frame.format == .yuv(layout, .jpeg))
    let planes = frame.rearranged(as: layout)
    // ffmpeg's rows are as wide as the planes, and its cosine transform rounds otherwise.
    let reference = try scratch.bytes(of: "picture.yuv")
    let own = planes.withPixels { pixels -> [UInt8] in
      let (stride, chroma) = (planes.bytesPerRow, (size.width + 1) / 2)
      let luma = (0..<size.height).flatMap { pixels[$0 * stride..<$0 * stride + size.width] }
      let chromaRows = (planes.format.rows(height: size.height) - size.height) * 2
      return luma + pixels[(stride * size.height)...].prefix(chromaRows * chroma)
    }
    try #require(own.count == reference.count)
    #expect(zip(own, reference).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
  }

  @Test("Padding at the end of rows is left out")
  func padding() throws {
    let picture = try orange(Self.size, "-pix_fmt", "yuyv422", "-f", "rawvideo")
    let rowSize = Self.size.width * 2
    let padded = stride(from: 0, to: picture.count, by: rowSize).flatMap {
      picture[$0..<$0 + rowSize] + [UInt8](repeating: 0, count: 32)
    }
    #expect(try isOrange(try decode(padded, mode("YUYV", bytesPerLine: rowSize + 32))))
    #expect(try decode(picture, mode("YUYV", bytesPerLine: rowSize + 32)) == nil)
  }

  @Test("JPEGs come out in their colours, odd sizes and all samplings of colour", arguments: ["420", "422", "444"])
  func jpegs(sampling: String) throws {
    let size = Size(61, 47)
    #expect(try isOrange(try decode(try jpeg(size, "yuvj\(sampling)p"), mode("MJPG", size))))
  }

  @Test("A JPEG that is cut anywhere before its end marker is damaged, and the next one is whole again")
  func truncated() throws {
    let picture = try jpeg()
    guard let decoder = CameraDecoder() else { throw CaptureError.outOfMemory(path: "") }
    let mode = mode("MJPG")
    for count in 0..<picture.count - 4 {
      let isWhole = picture[..<count].withUnsafeBytes { decoder.frame(of: $0, mode, index: 0, timestamp: 0) } != nil
      #expect(!isWhole, "\(count) of \(picture.count) bytes")
      #expect(picture.withUnsafeBytes { decoder.frame(of: $0, mode, index: 0, timestamp: 0) } != nil)
    }
  }

  @Test("Neither a missing end marker nor bytes after it damage a JPEG")
  func untidy() throws {
    let picture = try jpeg()
    #expect(try isOrange(try decode(picture.dropLast(2), mode("MJPG"))))
    #expect(try isOrange(try decode(picture + [0, 0, 0, 0], mode("MJPG"))))
  }

  @Test("A JPEG without Huffman tables is read with the usual ones, as webcams send it")
  func withoutTables() throws {
    let picture = try jpeg()
    let bare = removing(marker: 0xC4, from: picture)
    #expect(bare.count < picture.count)
    #expect(try isOrange(try decode(bare, mode("MJPG"))))
  }

  @Test("A JPEG of another size than the mode's is damaged")
  func otherSize() throws {
    #expect(try decode(try jpeg(Size(128, 96)), mode("MJPG")) == nil)
  }

  @Test("A picture in several scans, as no camera sends it, is damaged before it can cost time")
  func severalScans() throws {
    let picture = try jpeg()
    let frame = try #require(picture.indices.first { picture[$0] == 0xFF && picture[$0 + 1] == 0xC0 })
    var progressive = picture
    progressive[frame + 1] = 0xC2
    #expect(try decode(progressive, mode("MJPG")) == nil)
  }

  @Test("Noise is damaged, whatever it claims to be")
  func noise() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var picture: [UInt8] = [0xFF, 0xD8] + (0..<400).map { _ in UInt8.random(in: 0...255, using: &generator) }
      picture.append(0)
      #expect(try decode(picture, mode("MJPG")) == nil)
    }
  }

  @Test("A format that nothing here reads is refused")
  func unknownFormat() throws {
    #expect(!camera_decodes(CameraFormat("H264").code))
    #expect(try decode([UInt8](repeating: 0, count: 100_000), mode("H264")) == nil)
  }

  /// Leaves out every segment of a kind.
  private func removing(marker: UInt8, from picture: [UInt8]) -> [UInt8] {
    var (rest, at) = (Array(picture[..<2]), 2)
    while picture[at + 1] != 0xDA {
      let size = 2 + Int(picture[at + 2]) << 8 + Int(picture[at + 3])
      if picture[at + 1] != marker { rest += picture[at..<at + size] }
      at += size
    }
    return rest + picture[at...]
  }
}
