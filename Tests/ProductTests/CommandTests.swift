// The program as a user meets it: files, failures, interruptions.
import Fixtures
import Foundation
import GestureStream
import Gestures
import Testing

@Suite("Commands")
struct CommandTests {
  private let scratch = try! Scratch()

  @Test(
    "Help and version are there; a wrong word is refused with status 64",
    arguments: [
      (["--help"], 0), (["help", "export"], 0), (["export", "--help"], 0), (["--version"], 0), ([], 64),
      (["dance"], 64), (["help", "dance"], 64),
      (["track", "--loud"], 64), (["export", "x.mp4"], 64), (["export", "x.mp4", "-o", "y", "--format", "png"], 64),
      (["track", "--profile", "extreme"], 66), (["track", "--engine", "steam"], 64), (["replay"], 64),
      (["play", "x.mp4", "--source", "y.mp4"], 64),
      (["doctor"], 0),
    ] as [([String], Int32)])
  func usage(words: [String], status: Int32) throws {
    let outcome = try Program.run(words)
    #expect(outcome.status == status)
    #expect(status == 0 ? outcome.errors.isEmpty && !outcome.output.isEmpty : outcome.errors.hasPrefix("faceplay: "))
  }

  @Test(
    "An input that is missing, no video, a folder, a pipe or a device has its status and says so",
    arguments: [
      ("track", []), ("calibrate", []), ("export", ["-o", "out"]), ("snap", ["-o", "out.jpg"]),
      ("record", ["-o", "out.mp4"]),
    ] as [(String, [String])])
  func inputs(command: String, output: [String]) throws {
    let output = output.map { $0 == "-o" ? $0 : scratch.path($0) }
    try Data("not a video".utf8).write(to: URL(filePath: scratch.path("text.mp4")))
    try Data().write(to: URL(filePath: scratch.path("empty.fplm")))
    for name in ["pipe.mp4", "pipe.fplm"] { try #require(mkfifo(scratch.path(name), 0o600) == 0) }
    let before = scratch.contents
    for (input, status) in [
      (scratch.path("none.mp4"), 66), (scratch.path("text.mp4"), 65), (scratch.folder.path(), 66),
      (scratch.path("empty.fplm"), 65), (scratch.path("pipe.mp4"), 66), ("/dev/zero", 66),
      (scratch.path("pipe.fplm"), command == "snap" ? 65 : 66),
    ] as [(String, Int32)] {
      let outcome = try Program.run([command, input] + output, environment: ["XDG_DATA_HOME": scratch.folder.path()])
      #expect(outcome.status == status && outcome.errors.contains(input), "\(outcome.errors)")
    }
    #expect(scratch.contents == before)
  }

  @Test("Export writes what its file's extension says; a trace of a clip gives the clip's own gestures")
  func formats() throws {
    let clip = try scratch.clip("short.mp4", "-t", "6")
    for name in ["short.jsonl", "short.CSV", "short.fplm"] {
      let outcome = try Program.run(["export", clip, "-o", scratch.path(name)])
      #expect(outcome.status == 0 && outcome.errors.contains("180 frames"))
    }
    let direct = try Recording(path: scratch.path("short.jsonl"))
    try Program.run(["export", scratch.path("short.fplm"), "-o", scratch.path("again.jsonl")])
    let again = try Recording(path: scratch.path("again.jsonl"))
    #expect(direct.events.map(\.event).filter(\.isGesture) == again.events.map(\.event).filter(\.isGesture))
    let rows = try String(contentsOfFile: scratch.path("short.CSV"), encoding: .utf8).split(separator: "\r\n")
    #expect(rows.count == 181 && rows[0].hasPrefix("n,t,face,"))
  }

  @Test(
    "An extension that says nothing, or other than --format, is refused; any name will do for what --format says",
    arguments: [
      (["x.avi"], 64, "-o cannot be"), (["x.csv", "--format", "jsonl"], 64, "it must be csv"),
      (["x.txt", "--format", "csv"], 0, "60 frames"), (["x"], 0, "60 frames"), (["-"], 0, "60 frames"),
      ([""], 64, "-o FILE"),
    ] as [([String], Int32, String)])
  func extensions(words: [String], status: Int32, text: String) throws {
    let clip = try scratch.clip("short.mp4", "-t", "2")
    let name = words[0].count > 1 || words[0] == "x" ? scratch.path(words[0]) : words[0]
    let outcome = try Program.run(["export", clip, "-o", name] + words.dropFirst())
    #expect(outcome.status == status && outcome.errors.contains(text), "\(outcome.errors)")
  }

  @Test(
    "A file that is there already is left as it is, with status 73, whatever would be written",
    arguments: [
      ["export", Checkout.demo, "-o", "mine.jsonl"], ["snap", Checkout.demo, "-o", "mine.jpg"],
      ["profiles", "export", "low", "mine.json"],
    ])
  func taken(words: [String]) throws {
    let path = scratch.path(words.last!)
    try Data("mine".utf8).write(to: URL(filePath: path))
    let outcome = try Program.run(words.dropLast() + [path])
    #expect(outcome.status == 73 && outcome.errors.contains("\(path) exists already; name another file"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test("A word that is not UTF-8 is refused with its place", arguments: ["profiles copy medium", "track"])
  func notText(words: String) throws {
    let line = "\(Program.executable.path()) \(words) \"$(printf 'a\\377b')\""
    let outcome = try Program.run(["-c", line], executable: URL(filePath: "/bin/sh"))
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("word \(words.split(separator: " ").count + 1) of the command line is not UTF-8"))
  }

  @Test("A signal ends an export to a FIFO that nobody reads")
  func unread() throws {
    let path = scratch.path("pipe.jsonl")
    try #require(mkfifo(path, 0o600) == 0)
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = ["export", Checkout.demo, "-o", path]
    process.standardError = FileHandle.nullDevice
    try process.run()
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
  }

  @Test("A full disk and a closed pipe have status 74, say so, and leave nothing under the name")
  func full() throws {
    let clip = try scratch.clip("short.mp4", "-t", "2")
    let disk = try Program.run(["export", clip, "-o", "/dev/full"])
    #expect(disk.status == 74 && disk.errors.contains("the disk is full"))
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let closed = try Program.run(["track", clip, "--stream"], output: pipe.fileHandleForWriting)
    #expect(closed.status == 74 && closed.errors.contains("closed the pipe"))
    let nowhere = try Program.run(["export", clip, "-o", scratch.path("no/folder.jsonl")])
    #expect(nowhere.status == 73)
    #expect(scratch.contents == ["short.mp4"])
  }

  @Test(
    "What prints a result on a full disk says so with status 74",
    arguments: [["--help"], ["--version"], ["help", "track"], ["cameras", "--help"], ["cameras"], ["doctor"]])
  func fullOutput(words: [String]) throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let outcome = try Program.run(words, output: full)
    #expect(outcome.status == 74 && outcome.errors.contains("the disk is full"))
  }

  @Test("Standard output that is closed has status 74, and no file that is opened takes its place")
  func closedOutput() throws {
    let line = "\(Program.executable.path()) --help >&-"
    let outcome = try Program.run(["-c", line], executable: URL(filePath: "/bin/sh"))
    #expect(outcome.status == 74 && outcome.errors.hasPrefix("faceplay: standard output"))
  }

  @Test(
    "A signal in an export puts what came before it beside where the whole was to be, closed by its end",
    arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func interrupted(signal: Int32, status: Int32) throws {
    let path = scratch.path("out.jsonl")
    try Data("earlier".utf8).write(to: URL(filePath: scratch.path("out.partial.jsonl")))
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = ["export", Checkout.demo, "-o", path]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    // The temporary file appears when the networks are loaded and the first frames are coming.
    while process.isRunning, scratch.contents.count < 2 { sched_yield() }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == status)
    #expect(scratch.contents == ["out.partial-2.jsonl", "out.partial.jsonl"])
    let recording = try Recording(path: scratch.path("out.partial-2.jsonl"))
    #expect(!recording.isCutShort && recording.frames.count < 840)
    let told = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(told.contains("out.partial-2.jsonl"))
  }

  @Test("Ctrl-C ends track cleanly, with the stream's end")
  func trackInterrupted() throws {
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = ["track", "--stream"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = output.fileHandleForReading.availableData
    kill(process.processIdentifier, SIGINT)
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(!(try Recording(text: String(decoding: text, as: UTF8.self)).isCutShort))
  }

  @Test("A killed export leaves nothing under the name")
  func killed() throws {
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = ["export", Checkout.demo, "-o", scratch.path("out.jsonl")]
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, scratch.contents.isEmpty { sched_yield() }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(!FileManager.default.fileExists(atPath: scratch.path("out.jsonl")))
  }

  @Test("Replay tells a stream's records in time, and says when a stream was cut short")
  func replay() throws {
    let clip = try scratch.clip("short.mp4", "-ss", "1.5", "-t", "2")
    try Program.run(["export", clip, "-o", scratch.path("short.jsonl")])
    let written = try String(contentsOfFile: scratch.path("short.jsonl"), encoding: .utf8)
    let whole = try Program.run(["replay", scratch.path("short.jsonl"), "--stream"])
    #expect(whole.output == written && whole.errors.isEmpty)
    let lines = written.split(separator: "\n", omittingEmptySubsequences: false)
    try lines.prefix(20).joined(separator: "\n").write(
      toFile: scratch.path("cut.jsonl"), atomically: true, encoding: .utf8)
    let cut = try Program.run(["replay", scratch.path("cut.jsonl")])
    #expect(cut.status == 65 && cut.errors.contains("cut short"))
  }

  @Test("Piped, track prints plain lines without control characters")
  func plain() throws {
    let clip = try scratch.clip("short.mp4", "-ss", "1.5", "-t", "2")
    let outcome = try Program.run(["track", clip])
    #expect(outcome.output.contains("tilt left"))
    // On a busy machine frames may be dropped, but each is counted.
    let counts = try #require(outcome.output.firstMatch(of: /(\d+) frames, (\d+) dropped/))
    #expect(Int(counts.1)! + Int(counts.2)! == 60)
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test("On a terminal the view is redrawn in place and the cursor comes back")
  func terminal() throws {
    let clip = try scratch.clip("short.mp4", "-ss", "1.5", "-t", "2")
    let outcome = try Program.run(
      ["-qec", "stty cols 100 rows 30; \(Program.executable.path()) track \(clip)", "/dev/null"],
      executable: URL(filePath: "/usr/bin/script"), environment: ["TERM": "xterm"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("◀ left") && outcome.output.contains("confidence"))
    #expect(outcome.output.contains("\u{1B}[?25l") && outcome.output.hasSuffix("\u{1B}[?25h"))
    #expect(outcome.output.split(separator: "\u{1B}[J").count > 5)
  }

  @Test("Without its models, or with a damaged one, the program says which file and what to do")
  func models() throws {
    // Away from the checkout nothing is found but what FACEPLAY_DATA names.
    let copy = URL(filePath: scratch.path("faceplay"))
    try FileManager.default.copyItem(at: Program.executable, to: copy)
    let data = scratch.path("data")
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: Checkout.root.appending(path: "calibration").path(), toPath: data + "/calibration")
    func track() throws -> Program.Outcome {
      try Program.run(["track", Checkout.demo], executable: copy, environment: ["FACEPLAY_DATA": data])
    }
    let missing = try track()
    #expect(missing.status == 72 && missing.errors.contains("models") && missing.errors.contains("FACEPLAY_DATA"))
    try FileManager.default.copyItem(atPath: Checkout.root.appending(path: "models").path(), toPath: data + "/models")
    let network = URL(filePath: data + "/models/landmarks.onnx")
    var bytes = try Data(contentsOf: network)
    bytes[bytes.count / 2] ^= 1
    try FileManager.default.removeItem(at: network)
    try bytes.write(to: network)
    let altered = try track()
    #expect(altered.status == 72 && altered.errors.contains("landmarks.onnx"))
    try FileManager.default.removeItem(at: network)
    let gone = try track()
    #expect(gone.status == 72 && gone.errors.contains("landmarks.onnx"))
  }

  @Test("Evaluate prints counts, intervals and places, and wants a truth beside each clip")
  func evaluate() throws {
    let outcome = try Program.run(["evaluate", Checkout.demo])
    #expect(outcome.output.contains("8 of 8 (68–100 %)") && outcome.output.contains("4 of 4 (51–100 %)"))
    #expect(outcome.output.contains("mean error 0."))
    try FileManager.default.copyItem(atPath: Checkout.demo, toPath: scratch.path("alone.mp4"))
    let alone = try Program.run(["evaluate", scratch.path("alone.mp4")])
    #expect(alone.status == 66 && alone.errors.contains("alone.truth.json"))
    try #require(mkfifo(scratch.path("alone.truth.json"), 0o600) == 0)
    #expect(try Program.run(["evaluate", scratch.path("alone.mp4")]).status == 66)
  }

  @Test("Calibrating on more than the clip leaves nothing to judge, which is said", arguments: ["0-9", "5-6"])
  func nothingLeft(part: String) throws {
    let clip = try scratch.clip("short.mp4", "-t", "2")
    try FileManager.default.copyItem(
      at: Checkout.root.appending(path: "clips/demo.truth.json"), to: URL(filePath: scratch.path("short.truth.json")))
    let outcome = try Program.run(["evaluate", clip, "--calibrate-from", part])
    #expect(outcome.status == 64 && outcome.errors.contains("short.mp4 ends at 1.9 s"))
    #expect(outcome.output.isEmpty)
  }
}

extension InputEvent {
  var isGesture: Bool {
    switch self {
    case .tilt, .purse, .jump: true
    case .horizontal, .face, .release: false
    }
  }
}
