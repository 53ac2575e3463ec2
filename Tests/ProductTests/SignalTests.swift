// Signals: blocked readers, terminals, stops and going on.
import Fixtures
import Foundation
import GestureStream
import Gestures
import Testing

@Suite("Signals", .timeLimit(.minutes(5)))
struct SignalTests {
  private let scratch = try! Scratch()

  @Test(
    "A reader that does not read keeps nobody from ending: the first signal does, with its status",
    arguments: [
      (["track", Checkout.demo, "--stream"], SIGINT, 130), (["track", Checkout.demo], SIGTERM, 143),
      (["export", Checkout.demo, "-o", "-"], SIGHUP, 129),
    ] as [([String], Int32, Int32)])
  func blocked(words: [String], signal: Int32, status: Int32) throws {
    let pipe = Pipe()
    // F_SETPIPE_SZ: a page, which what is written first makes unready for more.
    try #require(fcntl(pipe.fileHandleForWriting.fileDescriptor, 1031, 4096) > 0)
    let process = try Running(words, output: pipe.fileHandleForWriting)
    var written = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&written, 1, -1) == 1)
    process.send(signal)
    #expect(process.status == status)
  }

  @Test("A signal ends even the help when nobody reads a full pipe")
  func help() throws {
    let pipe = Pipe()
    let end = pipe.fileHandleForWriting.fileDescriptor
    try #require(fcntl(end, 1031, 4096) > 0)
    let filling = [UInt8](repeating: 0, count: 4096)
    try #require(write(end, filling, filling.count) == filling.count)
    let process = try Running(["--help"], output: pipe.fileHandleForWriting)
    // Its signals' thread is there.
    while process.isRunning, process.threadCount < 2 { sched_yield() }
    process.send(SIGTERM)
    #expect(process.status == 143)
  }

  @Test("An interrupted replay lets go of what is held and writes its end")
  func replay() throws {
    let clip = try scratch.clip("short.mp4", "-ss", "1.5", "-t", "2")
    let path = scratch.path("short.jsonl")
    try Program.run(["export", clip, "-o", path])
    let output = Pipe()
    let process = try Running(["replay", path, "--stream"], output: output.fileHandleForWriting)
    var text = Data()
    while !text.contains(Data(#""event":"tilt","phase":"begin""#.utf8)) {
      text += output.fileHandleForReading.availableData
    }
    process.send(SIGINT)
    try output.fileHandleForWriting.close()
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(process.status == 130)
    let recording = try Recording(text: String(decoding: text, as: UTF8.self))
    #expect(!recording.isCutShort)
    #expect(recording.events.suffix(2).map(\.event) == [.release(.exit), .face(.lost)])
    #expect(recording.events.contains { $0.event == .tilt(.end, .left) })
  }

  @Test(
    "Ctrl-Z lets go and shows the cursor, going on hides it and draws anew; so does a resize", arguments: [true, false])
  func stop(isTrack: Bool) throws {
    let path = scratch.path("demo.jsonl")
    if !isTrack { try Program.run(["export", Checkout.demo, "-o", path]) }
    let terminal = try Screen()
    let process = try Running(isTrack ? ["track", Checkout.demo] : ["replay", path], output: terminal.end)
    try terminal.read(until: "confidence")
    process.send(SIGTSTP)
    try terminal.read(until: "\u{1B}[?25h")
    while process.state != "T" { sched_yield() }
    process.send(SIGCONT)
    try terminal.read(until: "\u{1B}[?25l")
    terminal.resize(columns: 50, rows: 20)
    try terminal.read(until: "\u{1B}[H\u{1B}[2J")
    process.send(SIGINT)
    try terminal.read(until: "\u{1B}[?25h")
    #expect(process.status == (isTrack ? 0 : 130))
  }

  @Test("A calibration gives the cursor back without having taken keys, also when it is interrupted")
  func calibrate() throws {
    let terminal = try Screen()
    let process = try Running(["calibrate", Checkout.demo], output: terminal.end)
    try terminal.read(until: "\u{1B}[?25l")
    process.send(SIGINT)
    try terminal.read(until: "\u{1B}[?25h")
    #expect(process.status == 130)
  }

  @Test("A replay that finds damage gives the cursor back before it says so")
  func damage() throws {
    let path = scratch.path("short.jsonl")
    try Program.run(["export", try scratch.clip("short.mp4", "-t", "1"), "-o", path])
    var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    lines[10] = "{"
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let terminal = try Screen()
    let process = try Running(["replay", path], output: terminal.end)
    try terminal.read(until: "\u{1B}[?25l")
    try terminal.read(until: "\u{1B}[?25h")
    #expect(process.status == 65)
  }

  @Test("Ctrl-\\ gives the cursor back before it ends the process")
  func quit() throws {
    let terminal = try Screen()
    let process = try Running(["track", Checkout.demo], output: terminal.end)
    try terminal.read(until: "confidence")
    process.send(SIGQUIT)
    try terminal.read(until: "\u{1B}[?25h")
    #expect(process.status == SIGQUIT)
  }

  @Test("A session that stood still loses the face once and finds it once", arguments: [SIGSTOP, SIGTSTP])
  func standstill(signal: Int32) throws {
    let output = Pipe()
    let process = try Running(["track", Checkout.demo, "--stream"], output: output.fileHandleForWriting)
    var text = Data()
    func read(lines: Int) {
      let goal = text.count { $0 == UInt8(ascii: "\n") } + lines
      while text.count(where: { $0 == UInt8(ascii: "\n") }) < goal { text += output.fileHandleForReading.availableData }
    }
    read(lines: 20)
    process.send(signal)
    while process.state != "T" { sched_yield() }
    // Longer than any lease.
    usleep(1_000_000)
    process.send(SIGCONT)
    read(lines: 40)
    process.send(SIGINT)
    try output.fileHandleForWriting.close()
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(process.status == 0)
    let recording = try Recording(text: String(decoding: text, as: UTF8.self))
    let faces = recording.events.compactMap { if case .face(let presence) = $0.event { presence } else { nil } }
    #expect(faces == [.found, .lost, .found, .lost])
  }
}

/// The program while it runs.
private struct Running {
  private let process = Process()

  init(_ words: [String], output: FileHandle) throws {
    process.executableURL = Program.executable
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  var isRunning: Bool { process.isRunning }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// As `ps` says it: `T` is stopped.
  var state: Substring? {
    let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
    return text?.split(separator: ") ").last?.prefix(1)
  }

  var threadCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/task").count) ?? 0
  }

  /// Waits for the end.
  var status: Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// A terminal that programs write on.
private final class Screen {
  private let pair: PseudoTerminal
  private var unread = ""

  init() throws { pair = try PseudoTerminal(columns: 100, rows: 30) }

  var end: FileHandle { pair.secondary }

  func resize(columns: UInt16, rows: UInt16) { pair.resize(columns: columns, rows: rows) }

  /// Waits for `text` and takes everything up to its end.
  func read(until text: String) throws {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let range = unread.firstRange(of: text) {
        unread.removeSubrange(..<range.upperBound)
        return
      }
      let count = Glibc.read(pair.primary, &bytes, bytes.count)
      try #require(count > 0)
      unread += String(decoding: bytes[..<count], as: UTF8.self)
    }
  }
}
