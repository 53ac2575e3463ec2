// Keys and tokens, and the file in which a key waits for the next run.
import CWebSockets
import Foundation
import Testing

@testable import WebService

@Suite("Access keys")
struct AccessKeyTests {
  @Test("Tokens are 32 hexadecimal digits, and no two runs' or keys' alike")
  func tokens() {
    let (key, run) = (AccessKey(), RunNumber())
    let tokens = (0..<100).flatMap { _ in [key.token(of: RunNumber()), AccessKey().token(of: run)] }.map(\.description)
    #expect(Set(tokens).count == 200)
    #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy { $0.isHexDigit && !$0.isUppercase } })
  }

  @Test("The token is what Python's hmac makes of the run's number")
  func algorithm() {
    // hmac.new(bytes(range(32)), b"\xab" * 16, "sha1").hexdigest()[:32]
    let key = AccessKey(hexadecimal: hexadecimal(0..<32))
    let run = RunNumber(bytes: [UInt8](repeating: 0xab, count: 16))
    #expect(key?.token(of: run).description == "fda2146c6f44dfe10debdabb066a914f")
  }

  @Test("What are not 64 hexadecimal digits is no key", arguments: ["", "0f", String(repeating: "g", count: 64)])
  func noKey(text: String) {
    #expect(AccessKey(hexadecimal: text) == nil)
  }

  @Test("A server says which run it is to whoever asks, and the token only to pages that it lets in")
  func run() throws {
    let key = AccessKey()
    let service = try Service(key: key)
    defer { service.stop() }
    let answer = try service.get("/run")
    #expect(answer.status == 200)
    #expect(String(decoding: answer.body, as: UTF8.self) == hexadecimal(service.server.run.bytes) + "\n")
    #expect(key.token(of: service.server.run) == service.server.token)
    #expect(try service.get("/run", host: "evil.example").status == 403)
    #expect(try service.get("/run", origin: "http://evil.example").status == 403)
  }
}

@Suite("Kept access keys")
struct KeptAccessKeyTests {
  private func withRuntimeFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "faceplay-run-\(UUID())")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path(percentEncoded: false))
  }

  private func kept(_ folder: String?, _ port: UInt16 = 8765) -> AccessKey? {
    AccessKey.kept(port: port, runtimeFolder: folder)
  }

  @Test("The next service on the port has the key of the one before, those on other ports have others")
  func same() throws {
    try withRuntimeFolder { folder in
      let key = try #require(kept(folder))
      #expect(kept(folder) == key)
      #expect(kept(folder, 8766) != key)
    }
  }

  @Test("Nobody but its user can read it")
  func mode() throws {
    try withRuntimeFolder { folder in
      _ = kept(folder)
      for (path, mode) in [("faceplay", 0o700), ("faceplay/key-8765", 0o600)] {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
      }
    }
  }

  @Test("A file that holds no key gets one")
  func broken() throws {
    try withRuntimeFolder { folder in
      _ = kept(folder)
      try Data("no key, and longer than a key is, by a little or by more than that".utf8)
        .write(to: URL(filePath: "\(folder)/faceplay/key-8765"))
      let key = try #require(kept(folder))
      #expect(kept(folder) == key)
    }
  }

  @Test("Without a folder of the user's own, and for any free port, nothing is kept")
  func nowhere() throws {
    #expect(kept(nil) == nil && kept("") == nil && kept("run") == nil && kept("/nowhere") == nil)
    try withRuntimeFolder { folder in #expect(kept(folder, 0) == nil) }
  }

  @Test("What others could read or write is not used", arguments: ["", "faceplay", "faceplay/key-8765"])
  func open(path: String) throws {
    try withRuntimeFolder { folder in
      _ = kept(folder)
      for mode in [0o740, 0o702] {
        chmod("\(folder)/\(path)", mode_t(mode))
        #expect(kept(folder) == nil)
      }
    }
  }

  @Test(
    "What belongs to somebody else is not used", .enabled(if: geteuid() == 0, "skipped: only root can give files away"),
    arguments: ["", "faceplay", "faceplay/key-8765"])
  func owner(path: String) throws {
    try withRuntimeFolder { folder in
      _ = kept(folder)
      #expect(chown("\(folder)/\(path)", 65_534, 65_534) == 0)
      #expect(kept(folder) == nil)
    }
  }

  @Test("What is planted as a link or a FIFO is not used", arguments: ["faceplay", "faceplay/key-8765"])
  func planted(path: String) throws {
    try withRuntimeFolder { folder in
      _ = kept(folder)
      try FileManager.default.moveItem(atPath: "\(folder)/\(path)", toPath: "\(folder)/elsewhere")
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/\(path)", withDestinationPath: "\(folder)/elsewhere")
      #expect(kept(folder) == nil)
      try FileManager.default.removeItem(atPath: "\(folder)/\(path)")
      #expect(mkfifo("\(folder)/\(path)", 0o600) == 0)
      #expect(kept(folder) == nil)
    }
  }
}
