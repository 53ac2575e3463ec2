// Inputs that are not whole: what can be read is used, and the user is told.
import Fixtures
import Foundation
import GestureStream
import Testing

@Suite("Damaged inputs")
struct DamageTests {
  private let scratch = try! Scratch()

  /// A trace of two seconds that breaks off in its last frame.
  private func cutTrace() throws -> String {
    let clip = try scratch.clip("short.mp4", "-t", "2")
    let trace = scratch.path("cut.fplm")
    try Program.run(["export", clip, "-o", trace])
    let file = try #require(FileHandle(forWritingAtPath: trace))
    try file.truncate(atOffset: try file.seekToEnd() - 1)
    return trace
  }

  @Test("A trace cut short is read as far as it goes, with a warning and status 65", arguments: ["export", "track"])
  func trace(command: String) throws {
    let output = scratch.path("out.jsonl")
    let outcome = try Program.run([command, try cutTrace()] + (command == "export" ? ["-o", output] : []))
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("cut.fplm is cut short"))
    if command == "export" { #expect(try Recording(path: output).frames.count == 59) }
  }

  @Test("Evaluate judges a trace cut short, with the warning and status 65")
  func evaluate() throws {
    let trace = try cutTrace()
    try FileManager.default.copyItem(
      at: Checkout.root.appending(path: "clips/demo.truth.json"), to: URL(filePath: scratch.path("cut.truth.json")))
    let outcome = try Program.run(["evaluate", trace])
    #expect(outcome.status == 65)
    #expect(outcome.output.contains("By clip") && outcome.errors.contains("cut.fplm is cut short"))
  }

  @Test("A clip cut short is exported as far as it goes, with a warning and status 65")
  func clip() throws {
    let clip = try scratch.clip("cut.mp4", "-t", "3", "-movflags", "faststart")
    let file = try #require(FileHandle(forWritingAtPath: clip))
    try file.truncate(atOffset: try file.seekToEnd() / 2)
    let outcome = try Program.run(["export", clip, "-o", scratch.path("out.jsonl")])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("cut.mp4 is") && outcome.errors.contains("of 3.0 s"))
    let recording = try Recording(path: scratch.path("out.jsonl"))
    #expect(!recording.isCutShort && (1..<90).contains(recording.frames.count))
  }

  @Test("A stream whose profile cannot work is refused, naming the setting")
  func profile() throws {
    let clip = try scratch.clip("short.mp4", "-t", "1")
    let path = scratch.path("bad.jsonl")
    try Program.run(["export", clip, "-o", path])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let bad = text.replacing(#""curve":1.5"#, with: #""curve":9"#)
    try #require(bad != text)
    try bad.write(toFile: path, atomically: true, encoding: .utf8)
    let outcome = try Program.run(["replay", path])
    #expect(outcome.status == 65 && outcome.errors.contains("profile.tilt.curve"))
  }
}
