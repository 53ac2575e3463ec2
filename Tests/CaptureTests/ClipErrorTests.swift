// Files that are no clips, and names that are not just files.
import Capture
import Foundation
import Frames
import Testing

@Suite("What is no clip", .timeLimit(.minutes(2)))
struct ClipErrorTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func error(_ path: String) -> CaptureError? {
    #expect(throws: CaptureError.self) { try ClipSource(path: path, pace: .fast) }
  }

  @Test("A missing file is reported", arguments: ["nothing.mp4", "a.mp4/b.mp4", ""])
  func missing(name: String) throws {
    _ = try scratch.write("", to: "a.mp4")
    let path = name.isEmpty ? "" : scratch.path(name)
    #expect(error(path) == .fileNotFound(path: path))
  }

  @Test(
    "An address or libavformat's own notation is only a file's name",
    arguments: [
      "http://127.0.0.1:9/a.mp4", "concat:a.mp4|b.mp4", "file:/etc/hostname", "pipe:0", "data:,x", "lavfi:testsrc", "-",
    ])
  func notation(name: String) {
    #expect(error(name) == .fileNotFound(path: name))
  }

  @Test("A file whose name looks like a pattern or an address is opened as it is", arguments: ["a%03d.png", "b:c.mp4"])
  func oddNames(name: String) throws {
    let path = try scratch.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=1", "-frames:v", "1", "plain.png")
    try FileManager.default.copyItem(atPath: path, toPath: scratch.path(name))
    let clip = try ClipSource(path: scratch.path(name), pace: .fast)
    #expect(try clip.next() != nil)
    #expect(clip.description.name == name)
  }

  @Test(
    "A file that names other files or addresses does not get them opened",
    arguments: [
      "ffconcat version 1.0\nfile clip.mp4\n",
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nclip.mp4\n#EXT-X-ENDLIST\n",
      "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n",
    ])
  func nested(script: String) throws {
    try scratch.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=1", "-c:v", "libx264", "clip.mp4")
    let path = try scratch.write(script, to: "script")
    switch error(path) {
    case .notAVideo, .noVideoStream, .noPictures: break
    case let other: Issue.record("\(String(describing: other))")
    }
  }

  @Test("A text file is not a video", arguments: ["notes.txt", "notes.mp4"])
  func text(name: String) throws {
    let path = try scratch.write(String(repeating: "Jump when I purse my lips.\n", count: 100), to: name)
    guard case .notAVideo(path, _) = error(path) else {
      Issue.record("opened")
      return
    }
  }

  @Test("An empty file is not a video")
  func empty() throws {
    let path = try scratch.write("", to: "empty.mp4")
    guard case .notAVideo(path, _) = error(path) else {
      Issue.record("opened")
      return
    }
  }

  @Test("A clip whose index was cut off is not a video")
  func cutIndex() throws {
    try scratch.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=20:d=2", "-c:v", "libx264", "whole.mp4")
    let path = try scratch.write(scratch.bytes(of: "whole.mp4").dropLast(2000), to: "cut.mp4")
    guard case .notAVideo(path, _) = error(path) else {
      Issue.record("opened")
      return
    }
  }

  @Test("Sound alone is no video, with or without a cover picture")
  func soundOnly() throws {
    let sound = try scratch.ffmpeg("-f", "lavfi", "-i", "sine=d=1", "sound.wav")
    #expect(error(sound) == .noVideoStream(path: sound))
    try scratch.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", "cover.png")
    let covered = try scratch.ffmpeg(
      "-i", "sound.wav", "-i", "cover.png", "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic",
      "covered.m4a")
    #expect(error(covered) == .noVideoStream(path: covered))
  }

  @Test("A video stream without a picture is reported")
  func noPictures() throws {
    let path = try scratch.write("YUV4MPEG2 W64 H48 F25:1 C420jpeg\n", to: "none.y4m")
    #expect(error(path) == .noPictures(path: path, skippedPackets: 0))
  }

  @Test("A codec nobody here can decode is named")
  func unknownCodec() throws {
    try scratch.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=1", "-c:v", "libx264", "a.mp4")
    var bytes = try scratch.bytes(of: "a.mp4")
    for range in bytes.ranges(of: Array("avc1".utf8)) { bytes.replaceSubrange(range, with: "zzzz".utf8) }
    let path = try scratch.write(bytes, to: "b.mp4")
    #expect(error(path) == .noDecoder(path: path, codec: "unknown"))
  }

  @Test("Pictures of more than 8192 pixels a side are refused")
  func tooLarge() throws {
    let path = try scratch.ffmpeg("-f", "lavfi", "-i", "color=s=8200x16", "-frames:v", "1", "wide.png")
    #expect(error(path) == .tooLarge(path: path, size: "8200x16", maximumSide: 8192))
  }

  @Test("A folder, a device and a pipe nobody writes to are refused at once")
  func notRegular() throws {
    #expect(mkfifo(scratch.path("pipe.mp4"), 0o600) == 0)
    for path in [scratch.folder, "/dev/null", "/dev/zero", scratch.path("pipe.mp4")] {
      #expect(error(path) == .notARegularFile(path: path))
    }
  }

  @Test("A file that may not be read is reported", .enabled(if: geteuid() != 0, "skipped: root may read everything"))
  func noPermission() throws {
    let path = try scratch.write("x", to: "private.mp4")
    #expect(chmod(path, 0) == 0)
    #expect(error(path) == .noPermission(path: path))
  }

  @Test("Every message names the file")
  func messages() {
    let errors: [CaptureError] = [
      .fileNotFound(path: "P"), .noPermission(path: "P"), .notARegularFile(path: "P"),
      .unreadable(path: "P", errno: EIO), .notAVideo(path: "P", reason: "R"), .noVideoStream(path: "P"),
      .noDecoder(path: "P", codec: "C"), .tooLarge(path: "P", size: "9000x9000", maximumSide: 8192),
      .noPictures(path: "P", skippedPackets: 3), .outOfMemory(path: "P"),
    ]
    for error in errors { #expect("\(error)".hasPrefix("P")) }
  }
}

@Suite("Damage told")
struct ClipDamageTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(
    "A whole clip is without damage at its end, one cut in half is not",
    arguments: [["-movflags", "faststart", "a.mp4"], ["a.mkv"]])
  func cut(output: [String]) throws {
    let name = try #require(output.last)
    let input = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=4", "-c:v", "libx264", "-g", "5"]
    _ = try run("ffmpeg", ["-v", "error"] + input + output, in: scratch.folder)
    #expect(try damage(scratch.path(name)) == nil)
    let bytes = try scratch.bytes(of: name)
    let half = try scratch.write(bytes.prefix(bytes.count / 2), to: "half")
    #expect(try damage(half) != nil)
  }

  private func damage(_ path: String) throws -> ClipDamage? {
    let clip = try ClipSource(path: path, pace: .fast)
    while try clip.next() != nil {}
    return clip.damage
  }
}
