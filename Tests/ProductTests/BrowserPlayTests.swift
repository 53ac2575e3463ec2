// The program as a server: it says where, serves, and ends when it is told to.
import Fixtures
import Foundation
import Testing

@Suite("Playing in a browser")
struct BrowserPlayTests {
  private let scratch = try! Scratch()

  /// The program while it serves the demo clip.
  private final class Served {
    let program = Process()
    let port: UInt16
    /// The address's path.
    let path: String
    private let errors = Pipe()
    private let complaints: ReadAll

    /// `desktop` is the environment of one, where a browser is opened.
    init(_ scratch: Scratch, port: UInt16 = 0, desktop: [String: String]? = nil) throws {
      program.executableURL = Program.executable
      program.arguments = ["play", "--source", Checkout.demo, "--port", "\(port)"]
      if desktop == nil { program.arguments?.append("--no-open") }
      let folders = ["XDG_DATA_HOME", "XDG_RUNTIME_DIR"].map { ($0, scratch.path("")) }
      program.environment = ProcessInfo.processInfo.environment.merging(folders + (desktop ?? [:])) { $1 }
      let output = Pipe()
      (program.standardOutput, program.standardError) = (output, errors)
      try program.run()
      complaints = ReadAll(errors)
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      let address = try #require(line.wholeMatch(of: /http:\/\/127\.0\.0\.1:(\d+)(\/[0-9a-f]{32}\/)\n/))
      self.port = try #require(UInt16(address.1))
      path = String(address.2)
    }

    deinit { if program.isRunning { kill(program.processIdentifier, SIGKILL) } }

    func page() throws -> Client {
      let page = try Client(port: port)
      try #require(page.upgrade(path + "ws") == 101)
      return page
    }

    /// Returns what it said on standard error.
    func end() -> String {
      kill(program.processIdentifier, SIGTERM)
      program.waitUntilExit()
      return String(decoding: complaints.wait(), as: UTF8.self)
    }
  }

  @Test("The address is printed first, a page there is told what delivers, and SIGTERM ends all cleanly")
  func whole() throws {
    let served = try Served(scratch)
    let page = try served.page()
    #expect(page.message(holding: #""source":"demo.mp4""#) != nil)
    #expect(page.message(holding: #""type":"frame""#) != nil)
    #expect(served.end().isEmpty)
    #expect(page.closeStatus() == 1001)
    #expect(served.program.terminationReason == .exit && served.program.terminationStatus == 128 + SIGTERM)
  }

  @Test("A service that follows another on its port has another address and the same key for pages")
  func again() throws {
    #expect(chmod(scratch.path(""), 0o700) == 0)
    func key(_ served: Served) throws -> Substring {
      let hello = try #require(try served.page().message(holding: "hello")?.text)
      return try #require(hello.firstMatch(of: /"key":"([0-9a-f]{64})"/)).1
    }
    let any = try Served(scratch)
    let other = try key(any)
    #expect(any.end().isEmpty)
    let first = try Served(scratch, port: any.port)
    let (path, kept) = (first.path, try key(first))
    #expect(first.end().isEmpty)
    let second = try Served(scratch, port: any.port)
    #expect(try second.path != path && key(second) == kept && kept != other)
    #expect(second.end().isEmpty)
  }

  @Test("On a desktop the browser gets an address that opens the page once, and signals as they are by default")
  func desktop() throws {
    let script = "#!/bin/sh\n{ echo \"$1\"; grep -E 'SigBlk|SigIgn' /proc/self/status; } >\(scratch.path("opened"))\n"
    try Data(script.utf8).write(to: URL(filePath: scratch.path("xdg-open")))
    #expect(chmod(scratch.path("xdg-open"), 0o700) == 0 && mkfifo(scratch.path("opened"), 0o600) == 0)
    let path = "\(scratch.path("")):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
    let served = try Served(scratch, desktop: ["DISPLAY": ":99", "PATH": path])
    let reader = try #require(FileHandle(forReadingAtPath: scratch.path("opened")))
    let opened = try reader.readToEnd() ?? Data()
    let lines = String(decoding: opened, as: UTF8.self).split(separator: "\n").map(String.init)
    let code = try #require(lines.first?.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+(\/open\/[0-9a-f]{32})/)).1
    let signals = lines.dropFirst().compactMap { UInt64($0.suffix(16), radix: 16) }
    try #require(signals.count == 2)
    #expect(signals[0] == 0 && signals[1] & 1 << UInt64(SIGPIPE - 1) == 0)
    for isOpen in [true, false] {
      let client = try Client(port: served.port)
      client.write("GET \(code) HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n\r\n".utf8)
      #expect(client.readHead().contains(isOpen ? "Location: \(served.path)\r\n" : "403"))
    }
    #expect(served.end().contains("token"))
  }

  @Test("A second service for the same player says what to do and ends")
  func inUse() throws {
    let first = try Served(scratch)
    let second = try Program.run(
      ["play", "--source", Checkout.demo, "--port", "0", "--no-open"], environment: ["XDG_DATA_HOME": scratch.path("")])
    #expect(second.status == 69 && second.errors.contains("--profile"), "\(second.errors)")
    #expect(first.end().isEmpty)
  }
}
