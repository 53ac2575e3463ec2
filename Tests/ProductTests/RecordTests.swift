// Recordings and photos as a user makes them, judged by ffmpeg and ffprobe.
import Fixtures
import Foundation
import GestureStream
import Gestures
import Testing

@Suite("Recordings")
struct RecordTests {
  private let scratch = try! Scratch()

  /// Lines that a tool of ffmpeg's prints; a status other than 0 fails the test.
  private func lines(_ words: String...) throws -> [String] {
    let outcome = try Program.run(words, executable: URL(filePath: "/usr/bin/env"))
    try #require(outcome.status == 0, "\(words) \(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  private func times(_ path: String) throws -> [Double] {
    try lines(
      "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path
    ).compactMap(Double.init).sorted()
  }

  private func decodeWhole(_ path: String) throws {
    _ = try lines("ffmpeg", "-v", "error", "-xerror", "-i", path, "-f", "null", "-")
  }

  @Test("A recording has the clip's frames at their times, its stream beside it, and gives the same events again")
  func same() throws {
    let clip = try scratch.clip("clip.mp4", "-ss", "13", "-t", "6", "-vf", "select='not(eq(mod(n,7),3))'")
    let outcome = try Program.run(["record", clip, "-o", scratch.path("run.mp4")])
    #expect(outcome.status == 0 && outcome.errors.contains("frames") && outcome.errors.contains("MB"))
    let (source, recorded) = (try times(clip), try times(scratch.path("run.mp4")))
    #expect(recorded.count == source.count)
    for (one, other) in zip(recorded, source) { #expect(abs(one - (other - source[0])) < 20e-6) }

    try Program.run(["export", scratch.path("run.mp4"), "-o", scratch.path("again.jsonl")])
    let first = try Recording(path: scratch.path("run.jsonl"))
    let again = try Recording(path: scratch.path("again.jsonl"))
    let (gestures, same) = (
      first.events.filter(\.event.isGesture), again.events.filter(\.event.isGesture)
    )
    #expect(gestures.count > 4 && gestures.map(\.event.name) == same.map(\.event.name))
    for (one, other) in zip(gestures, same) { #expect(abs(one.frameIndex - other.frameIndex) <= 1) }
  }

  @Test("The text track is the gesture stream itself, each frame's lines at its time")
  func text() throws {
    let clip = try scratch.clip("clip.mp4", "-ss", "13", "-t", "3")
    try Program.run(["record", clip, "-o", scratch.path("run.mp4")])
    _ = try lines(
      "ffmpeg", "-v", "error", "-i", scratch.path("run.mp4"), "-map", "0:s", "-c", "copy", "-f", "data",
      scratch.path("text"))
    // Each sample comes after its length in two bytes, of which either may be a letter.
    let samples = try Data(contentsOf: URL(filePath: scratch.path("text")))
    var text = Data()
    var rest = samples[...]
    while rest.count > 2 {
      let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
      text += rest.dropFirst(2).prefix(length)
      rest = rest.dropFirst(2 + length)
    }
    #expect(text == (try Data(contentsOf: URL(filePath: scratch.path("run.jsonl")))))
  }

  @Test("A recording that is killed plays up to its last second")
  func killed() throws {
    let path = scratch.path("run.mp4")
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = ["record", Checkout.demo, "-o", path]
    process.standardError = FileHandle.nullDevice
    try process.run()
    func size() -> Int { (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0 }
    // A second takes some 200 kB.
    while process.isRunning, size() < 600_000 { sched_yield() }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try #require(process.terminationReason == .uncaughtSignal)
    try decodeWhole(path)
    let count = try times(path).count
    #expect(count >= 60 && count % 30 == 0)
  }

  @Test("Ctrl-C closes both files with what there is")
  func interrupted() throws {
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = ["record", Checkout.demo, "-o", scratch.path("run.mp4")]
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, !scratch.contents.contains("run.mp4") { sched_yield() }
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let stream = try Recording(path: scratch.path("run.jsonl"))
    let count = try times(scratch.path("run.mp4")).count
    #expect(!stream.isCutShort && stream.frames.count == count)
    #expect(scratch.contents == ["run.jsonl", "run.mp4"])
  }

  @Test(
    "A full disk is said, and the file closed with its last whole second",
    .enabled(if: geteuid() == 0, "skipped: only root may mount a small disk"))
  func diskFull() throws {
    let disk = scratch.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    _ = try lines("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk)
    defer { _ = try? lines("umount", disk) }
    let outcome = try Program.run(["record", Checkout.demo, "-o", disk + "/run.mp4"])
    #expect(outcome.status == 74 && outcome.errors.contains("the disk is full"))
    try decodeWhole(disk + "/run.mp4")
    let count = try times(disk + "/run.mp4").count
    #expect(count >= 60 && count % 30 == 0)
  }

  @Test("Pictures that change their size go on in a further file, which is said")
  func resized() throws {
    var stream = Data()
    for scale in ["640:480", "320:240"] {
      stream += try Data(
        contentsOf: URL(filePath: scratch.clip("part.h264", "-t", "1.5", "-vf", "scale=\(scale)", "-y")))
    }
    try stream.write(to: URL(filePath: scratch.path("clip.h264")))
    let outcome = try Program.run(["record", scratch.path("clip.h264"), "-o", scratch.path("run.mp4")])
    #expect(
      outcome.status == 0 && outcome.errors.contains("size has changed; going on in \(scratch.path("run-2.mp4"))"))
    for (name, width) in [("run.mp4", "640"), ("run-2.mp4", "320")] {
      try decodeWhole(scratch.path(name))
      #expect(try times(scratch.path(name)).count == 45)
      let size = try lines(
        "ffprobe", "-v", "error", "-show_entries", "stream=width", "-select_streams", "v:0", "-of", "csv=p=0",
        scratch.path(name))
      #expect(size == [width])
    }
    #expect(try Recording(path: scratch.path("run.jsonl")).frames.count == 90)
  }

  @Test("With --overlay the picture shows what was recognised, and without it nothing is drawn")
  func overlay() throws {
    let clip = try scratch.clip("clip.mp4", "-ss", "1", "-t", "1")
    for (name, options) in [("plain.mp4", []), ("drawn.mp4", ["--overlay"])] {
      try Program.run(["record", clip, "-o", scratch.path(name)] + options)
    }
    /// Mean luma of the meters' corner in the last frame.
    func corner(_ name: String) throws -> Double {
      _ = try lines(
        "ffmpeg", "-v", "error", "-y", "-i", scratch.path(name), "-vf", "crop=180:8:16:455,format=gray", "-update", "1",
        "-f", "rawvideo", scratch.path("corner"))
      let bytes = try Data(contentsOf: URL(filePath: scratch.path("corner"))).suffix(180 * 8)
      return Double(bytes.reduce(0) { $0 + Int($1) }) / Double(bytes.count)
    }
    // Black text and lines would be 16; the meters' ground is 40, the clip there is bright.
    #expect(try corner("drawn.mp4") < 70)
    #expect(try corner("plain.mp4") > 90)
  }

  @Test("A file that is there already is not written over, and other names than .mp4 are refused")
  func refused() throws {
    for name in ["run.mp4", "run.jsonl"] {
      try Data("mine".utf8).write(to: URL(filePath: scratch.path(name)))
      let outcome = try Program.run(["record", Checkout.demo, "-o", scratch.path("run.mp4")])
      #expect(outcome.status == 73 && outcome.errors.contains("\(name) exists already"))
      #expect(try String(contentsOfFile: scratch.path(name), encoding: .utf8) == "mine")
      try FileManager.default.removeItem(atPath: scratch.path(name))
    }
    #expect(try Program.run(["record", Checkout.demo, "-o", scratch.path("run.avi")]).status == 64)
    #expect(try Program.run(["record", Checkout.demo, "-o", Checkout.demo]).status == 64)
    #expect(try Program.run(["record", Checkout.demo, "-o", scratch.path("no/run.mp4")]).status == 73)
    #expect(try Program.run(["record", Checkout.demo, "-o", scratch.path("r.mp4"), "--quality", "best"]).status == 64)
    #expect(scratch.contents.isEmpty)
  }

  @Test("A snap is a JPEG of the clip's first frame; what has no pictures is refused")
  func snap() throws {
    let outcome = try Program.run(["snap", Checkout.demo, "-o", scratch.path("photo.jpg")])
    #expect(outcome.status == 0 && outcome.errors.contains("photo.jpg"))
    let entries = try lines(
      "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
      scratch.path("photo.jpg"))
    #expect(entries == ["mjpeg,640,480"])
    #expect(try Program.run(["snap", scratch.path("none.fplm"), "-o", scratch.path("x.jpg")]).status == 65)
    #expect(try Program.run(["snap", Checkout.demo]).status == 64)
    #expect(try Program.run(["snap", Checkout.demo, "-o", scratch.path("photo.png")]).status == 64)
    #expect(scratch.contents == ["photo.jpg"])
  }
}

extension InputEvent {
  /// Without its strength, which differs by what encoding takes away.
  fileprivate var name: String {
    if case .purse(let phase, _) = self { return "purse \(phase)" }
    return "\(self)"
  }
}
