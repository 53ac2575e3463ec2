// Files that appear only when they are whole, as a specification.
import Foundation
import Frames
import Testing

@testable import GestureStream

private func contents(_ path: String) throws -> String {
  String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
}

private func permissions(_ path: String) throws -> mode_t {
  var status = stat()
  try #require(lstat(path, &status) == 0)
  return status.st_mode & 0o7777
}

private func write(_ text: String, to path: String) throws {
  let output = try OutputFile(path: path)
  try output.write(Array(text.utf8))
  try output.commit()
}

@Suite("Output files")
struct OutputFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("out.jsonl")
    // As the program does; otherwise a closed pipe would end the tests.
    signal(SIGPIPE, SIG_IGN)
  }

  @Test("A new file may be one that is not there, in a folder that is; what is no regular file may always be written")
  func new() throws {
    try OutputFile.checkNew(path)
    for fine in ["-", "/dev/null", "/dev/stdout"] { try OutputFile.checkNew(fine) }
    try write("mine", to: path)
    for (path, code) in [(path, EEXIST), (folder.file("no/x"), ENOENT), (path + "/x", ENOTDIR), ("/", EISDIR)] {
      #expect(throws: StreamWriteError(file: path, code: code)) { try OutputFile.checkNew(path) }
    }
  }

  @Test("A file has its name only once committed, and then nothing else is left")
  func commit() throws {
    let output = try OutputFile(path: path)
    try output.write(Array("whole".utf8))
    try output.flush()
    #expect(try !folder.names.contains("out.jsonl"))
    try output.commit()
    #expect(try folder.names == ["out.jsonl"])
    #expect(try contents(path) == "whole")
  }

  @Test("An abandoned file and one simply dropped leave nothing, and an older one stays", arguments: [true, false])
  func abandon(isDropped: Bool) throws {
    try write("old", to: path)
    var output: OutputFile? = try OutputFile(path: path)
    try output?.write(Array("new".utf8))
    try output?.flush()
    if isDropped { output = nil } else { output?.abandon() }
    #expect(try folder.names == ["out.jsonl"])
    #expect(try contents(path) == "old")
  }

  @Test("A file that appears while a new one is written is left alone, and that is said")
  func appeared() throws {
    let output = try OutputFile(path: path)
    try output.write(Array("ours".utf8))
    try Data("theirs".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: StreamWriteError(file: path, code: EEXIST)) { try output.commit() }
    #expect(try folder.names == ["out.jsonl"])
    #expect(try contents(path) == "theirs")
  }

  @Test("What a killed process left behind goes when the next file is made; what is being written stays")
  func abandonedParts() throws {
    let underWay = try OutputFile(path: path)
    let before = try folder.names
    let left = ".faceplay-1a2b3c.part"
    for name in [left, "mine.part"] { close(open(folder.file(name), O_CREAT | O_WRONLY, 0o666)) }
    mkfifo(folder.file(".faceplay-pipe.part"), 0o600)
    try write("other", to: folder.file("other"))
    #expect(try folder.names == before.union(["mine.part", "other"]))
    try underWay.write(Array("whole".utf8))
    try underWay.commit()
    #expect(try contents(path) == "whole")
  }

  @Test("What is not whole gets a name beside, with its extension, and takes nobody else's")
  func partial() throws {
    try write("old", to: path)
    for name in ["out.partial.jsonl", "out.partial-2.jsonl"] {
      let output = try OutputFile(path: path)
      try output.write(Array("part".utf8))
      #expect(try output.commitPartial() == folder.file(name))
      #expect(try contents(folder.file(name)) == "part")
    }
    #expect(try contents(path) == "old")
  }

  @Test("A file that grows under its own name keeps what was flushed, and never takes another's place")
  func growing() throws {
    do {
      let output = try OutputFile(growing: path)
      try output.write(Array("flushed".utf8))
      try output.flush()
      try output.write(Array(", lost".utf8))
    }
    #expect(try contents(path) == "flushed")
    let error = #expect(throws: StreamWriteError.self) { _ = try OutputFile(growing: path) }
    #expect(error?.kind == .exists)
  }

  @Test(
    "A number goes before what a file's name ends in, if it ends in anything",
    arguments: [
      ("run.mp4", "run-2.mp4"), ("a.b/run", "a.b/run-2"), (".hidden", ".hidden-2"), ("a/.b.c", "a/.b-2.c"), ("", "-2"),
    ])
  func numbered(path: String, second: String) {
    #expect(Array(NumberedNames(path).prefix(2)) == [path, second])
  }

  @Test("A pipe that nobody reads is waited for until that is cancelled; the failure says so")
  func cancelled() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let cancellation = Cancellation()
    let output = try OutputFile(path: "/dev/fd/\(ends[1])", cancellation: cancellation)
    cancellation.cancel()
    let error = #expect(throws: StreamWriteError.self) { try output.write([UInt8](repeating: 0, count: 1 << 20)) }
    #expect(error?.kind == .interrupted)
  }

  @Test("More than a buffer is written in order")
  func large() throws {
    let line = Array("0123456789\n".utf8)
    let output = try OutputFile(path: path)
    for _ in 0..<100_000 { try output.write(line) }
    try output.commit()
    #expect(try contents(path) == String(repeating: "0123456789\n", count: 100_000))
  }

  @Test("Nothing can be written after the commit")
  func afterCommit() throws {
    let output = try OutputFile(path: path)
    try output.commit()
    try output.write([0x21])
    #expect(throws: StreamWriteError.self) { try output.flush() }
    #expect(try contents(path) == "")
  }

  @Test("A new file has the permissions that any new file gets")
  func newPermissions() throws {
    close(open(folder.file("any"), O_CREAT | O_WRONLY, 0o666))
    try write("new", to: path)
    #expect(try permissions(path) == permissions(folder.file("any")))
  }

  @Test("A replaced file hands on its permissions", arguments: [0o600, 0o640, 0o666, 0o755] as [mode_t])
  func replacedPermissions(mode: mode_t) throws {
    try write("old", to: path)
    chmod(path, mode)
    try write("new", to: path)
    #expect(try contents(path) == "new")
    #expect(try permissions(path) == mode)
  }

  @Test("A file its owner made read-only is not replaced", .enabled(if: getuid() != 0, "root may write everywhere"))
  func readOnlyFile() throws {
    try write("old", to: path)
    chmod(path, 0o444)
    let error = #expect(throws: StreamWriteError.self) { try OutputFile(path: path) }
    #expect(error?.kind == .noPermission)
  }

  @Test(
    "Through a symbolic link its target is replaced, whether it exists or not, and the link stays",
    arguments: ["target", "./inner/../target", "second"])
  func symbolicLink(target: String) throws {
    try FileManager.default.createDirectory(atPath: folder.file("inner"), withIntermediateDirectories: false)
    symlink("\(folder.path)/target", folder.file("second"))
    symlink(target, path)
    for text in ["first", "again"] {
      try write(text, to: path)
      #expect(try contents(folder.file("target")) == text)
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    #expect(try folder.names == ["out.jsonl", "target", "second", "inner"])
  }

  @Test("What is no regular file is written straight through", arguments: ["/dev/null"])
  func device(path: String) throws {
    try write("gone", to: path)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test("A FIFO is written straight through, as each flush goes")
  func fifo() throws {
    mkfifo(path, 0o600)
    // Opened for both, so that neither side waits for the other.
    let reading = FileHandle(fileDescriptor: open(path, O_RDWR), closeOnDealloc: true)
    let output = try OutputFile(path: path)
    try output.write(Array("live".utf8))
    try output.flush()
    #expect(try reading.read(upToCount: 4) == Data("live".utf8))
    try output.commit()
    #expect(try folder.names == ["out.jsonl"])
  }

  @Test("An open descriptor is written at its own position, as after >>", arguments: ["/dev/fd/", "/proc/self/fd/"])
  func descriptor(prefix: String) throws {
    try write("one ", to: path)
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seekToEnd()
    try write("two ", to: prefix + String(file.fileDescriptor))
    try file.write(contentsOf: Data("three".utf8))
    #expect(try contents(path) == "one two three")
  }

  @Test("/dev/stdout is standard output itself, not the file behind it")
  func standardOutput() throws {
    guard case .descriptor(STDOUT_FILENO) = try OutputDestination(path: "/dev/stdout"),
      case .descriptor(STDOUT_FILENO) = try OutputDestination(path: "-")
    else {
      Issue.record("standard output would be replaced")
      return
    }
  }

  @Test("A pipe whose reader is gone is reported, then and later")
  func closedPipe() throws {
    let pipe = Pipe()
    let output = try OutputFile(path: "/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)")
    try pipe.fileHandleForReading.close()
    try output.write([0x21])
    for _ in 0..<2 {
      let error = #expect(throws: StreamWriteError.self) { try output.flush() }
      #expect(error?.kind == .closedPipe)
    }
  }

  @Test("A slow reader of a pipe that does not block is waited for")
  func nonBlockingPipe() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let output = try OutputFile(path: "/dev/fd/\(descriptor)")
    let size = 1 << 20
    let read = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var received: Data?
    Thread.detachNewThread {
      received = try? pipe.fileHandleForReading.read(upToCount: size)
      read.signal()
    }
    try output.write([UInt8](repeating: 0x21, count: size))
    try output.commit()
    read.wait()
    #expect(received == Data(repeating: 0x21, count: size))
  }

  @Test(
    "What is no place for a file is reported at once",
    arguments: [
      ("", .noSuchFolder), ("missing/out", .noSuchFolder), ("missing/", .notAFile), ("file/out", .notAFile),
      (".", .notAFile), ("loop", .other), ("/dev/fd/9999", .other),
    ] as [(String, StreamWriteError.Kind)])
  func noPlace(name: String, kind: StreamWriteError.Kind) throws {
    try write("", to: folder.file("file"))
    symlink("loop", folder.file("loop"))
    let path = name.isEmpty || name.hasPrefix("/") ? name : folder.file(name)
    let error = #expect(throws: StreamWriteError.self) { try OutputFile(path: path) }
    #expect(error?.kind == kind)
    #expect(error?.file == path)
  }

  @Test("A full device is reported")
  func fullDevice() throws {
    let output = try OutputFile(path: "/dev/full")
    try output.write([0x21])
    let error = #expect(throws: StreamWriteError.self) { try output.commit() }
    #expect(error?.kind == .diskFull)
  }

  @Test("A full disk is reported and nothing is left, but for an older file", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let disk = try #require(SmallDisk(at: folder.path, options: "size=64k"))
    try write("old", to: path)
    let output = try OutputFile(path: path)
    let error = #expect(throws: StreamWriteError.self) {
      for _ in 0..<100 { try output.write([UInt8](repeating: 0x21, count: 4096)) }
    }
    #expect(error?.kind == .diskFull)
    #expect(throws: try #require(error)) { try output.commit() }
    #expect(try folder.names == ["out.jsonl"])
    #expect(try contents(path) == "old")
    disk.unmount()
  }

  @Test("A read-only file system is reported", .enabled(if: SmallDisk.isPossible))
  func readOnlyFileSystem() throws {
    let disk = try #require(SmallDisk(at: folder.path, options: "ro"))
    let error = #expect(throws: StreamWriteError.self) { try OutputFile(path: path) }
    #expect(error?.kind == .readOnlyFileSystem)
    disk.unmount()
  }

  @Test(
    "Each kind of failure has a sentence of its own",
    arguments: [
      (ENOSPC, .diskFull), (EDQUOT, .diskFull), (EACCES, .noPermission), (EPERM, .noPermission),
      (EROFS, .readOnlyFileSystem), (ENOENT, .noSuchFolder), (ENOTDIR, .notAFile), (EISDIR, .notAFile),
      (EPIPE, .closedPipe), (EIO, .other),
    ] as [(Int32, StreamWriteError.Kind)])
  func kinds(code: Int32, kind: StreamWriteError.Kind) {
    let error = StreamWriteError(file: "out.csv", code: code)
    #expect(error.kind == kind)
    #expect(error.description.hasPrefix("out.csv: "))
  }
}

/// A file system in memory, mounted over a folder. Takes root and a kernel that lets it.
private struct SmallDisk {
  private let path: String

  init?(at path: String, options: String) {
    guard Self.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path) else { return nil }
    self.path = path
  }

  func unmount() {
    _ = Self.run("umount", "-l", path)
  }

  static let isPossible: Bool = {
    guard getuid() == 0, let folder = try? TemporaryFolder(), let disk = SmallDisk(at: folder.path, options: "ro")
    else {
      return false
    }
    disk.unmount()
    return true
  }()

  private static func run(_ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
