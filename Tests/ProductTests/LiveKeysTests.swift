// The live view's keys, in a pseudo-terminal.
import Fixtures
import Foundation
import Gestures
import Testing

@Suite("Live keys")
struct LiveKeysTests {
  private let scratch = try! Scratch()
  private var environment: [String: String] { ["XDG_DATA_HOME": scratch.folder.path()] }
  private static let showCursor = "\u{1B}[?25h"
  private static let right = "\u{1B}[C"
  private static let down = "\u{1B}[B"

  private func track(_ options: String...) throws -> Terminal {
    try Terminal([Program.executable.path(), "track", Checkout.demo] + options, environment: environment)
  }

  private func saved(_ name: String) throws -> Profile {
    let data = try Data(contentsOf: scratch.folder.appending(path: "faceplay/profiles/\(name).json"))
    return try JSONDecoder().decode(ProfileRecord.self, from: data).profile
  }

  @Test("Keys move each sensitivity, pause, recentre and save under a new name; Ctrl-C gives the terminal back")
  func keys() throws {
    let terminal = try track("--profile", "low")
    #expect(terminal.wait(for: "tilt 33 %") && terminal.wait(for: "● found"))
    #expect(!terminal.isOrdinary)
    terminal.type(Self.right + Self.down)
    #expect(terminal.wait(for: "tilt 38 % · ↓ ↑ purse 20 %"))
    terminal.type("c")
    #expect(terminal.wait(for: "this posture is the centre now"))
    terminal.type(" ")
    #expect(terminal.wait(for: "paused: everything is released") && terminal.wait(for: "space go on"))
    #expect(terminal.wait(for: "face lost"))
    terminal.type(" ")
    #expect(terminal.wait(for: "● found"))
    terminal.type("s")
    #expect(terminal.wait(for: "saved: --profile my-low"))
    #expect(terminal.wait(for: "sensitivity my-low"))
    terminal.type(Self.right)
    #expect(terminal.wait(for: "tilt 43 %"))
    terminal.type("s")
    #expect(terminal.wait(for: "saved: --profile my-low"))
    terminal.type("\u{3}")
    #expect(terminal.finish().hasSuffix(Self.showCursor))
    #expect(terminal.process.terminationStatus == 0 && terminal.isOrdinary)
    #expect(try saved("my-low").sensitivity == Sensitivity(tilt: 43, purse: 20))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("faceplay/profiles")) == ["my-low.json"])
  }

  @Test("A profile of one's own is saved in place, and changes that were not saved are told at the end")
  func own() throws {
    try Program.run(["profiles", "copy", "high", "지우"], environment: environment)
    let terminal = try track("--profile", "지우")
    #expect(terminal.wait(for: "sensitivity 지우"))
    terminal.type(Self.right)
    #expect(terminal.wait(for: "tilt 80 %"))
    terminal.type("s")
    #expect(terminal.wait(for: "saved: --profile 지우"))
    terminal.type(Self.down)
    #expect(terminal.wait(for: "purse 70 %"))
    terminal.type("\u{3}")
    #expect(terminal.finish().contains("not saved: tilt 80 % · purse 70 %"))
    #expect(try saved("지우").sensitivity == Sensitivity(tilt: 80, purse: 75))
  }

  @Test("A save that fails is told in the view, and the session goes on")
  func failedSave() throws {
    try Data().write(to: URL(filePath: scratch.path("faceplay")))
    let terminal = try track()
    #expect(terminal.wait(for: "● found"))
    terminal.type("s")
    #expect(terminal.wait(for: "not a place for a file"))
    terminal.type(Self.right)
    #expect(terminal.wait(for: "tilt 55 %"))
  }

  @Test(
    "Whatever ends the program, the terminal is given back",
    arguments: [SIGTERM, SIGHUP, SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGQUIT])
  func ended(signal: Int32) throws {
    let terminal = try track()
    #expect(terminal.wait(for: "● found"))
    #expect(!terminal.isOrdinary)
    kill(terminal.foreground, signal)
    #expect(terminal.finish().contains(Self.showCursor))
    #expect(terminal.isOrdinary)
  }

  @Test("Ctrl-Z lets everything go and gives the shell its terminal; fg goes on with keys")
  func stopped() throws {
    let script = #"set -m; "$0" "$@"; echo shell; read line; fg; echo "status $?""#
    let terminal = try Terminal(
      ["bash", "-c", script, Program.executable.path(), "track", Checkout.demo], environment: environment)
    #expect(terminal.wait(for: "● found"))
    #expect(!terminal.isOrdinary)
    terminal.type("\u{1A}")
    #expect(terminal.wait(for: Self.showCursor) && terminal.wait(for: "shell"))
    #expect(terminal.isOrdinary)
    terminal.type("\n")
    #expect(terminal.wait(for: "● found"))
    terminal.type(Self.right)
    #expect(terminal.wait(for: "tilt 55 %"))
    #expect(!terminal.isOrdinary)
    terminal.type("\u{3}")
    #expect(terminal.finish().contains("status 0"))
    #expect(terminal.isOrdinary)
  }

  @Test("In the background and without a terminal to read from, no keys are taken", arguments: ["<&0 &", "</dev/null"])
  func noKeys(redirection: String) throws {
    let script = #"set -m; "$0" "$@" \#(redirection)"# + "\nread line"
    let terminal = try Terminal(
      ["bash", "-c", script, Program.executable.path(), "track", Checkout.demo], environment: environment)
    #expect(terminal.wait(for: "● found"))
    #expect(terminal.isOrdinary)
  }
}
