// faceplay profiles, and profiles where a command takes one.
import Fixtures
import Foundation
import Gestures
import Testing

@Suite("Profiles")
struct ProfilesTests {
  private let scratch = try! Scratch()
  private var folder: String { scratch.path("faceplay/profiles") }

  @discardableResult
  private func run(_ words: String...) throws -> Program.Outcome {
    try Program.run(words, environment: ["XDG_DATA_HOME": scratch.folder.path()])
  }

  private var saved: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? [] }

  @Test("Presets are copied, profiles listed, shown, renamed and deleted")
  func life() throws {
    #expect(try run("profiles", "copy", "high", "anna").status == 0)
    #expect(try run("profiles").output.contains("anna    tilt 75 % · purse 75 %  yours\n"))
    #expect(try run("profiles", "show", "anna").output.contains("tilt left   begins 7.8°, ends 5.3°, full speed 15.6°"))
    #expect(try run("profiles", "rename", "anna", "지우").status == 0)
    #expect(try run("profiles", "path", "지우").output == "\(folder)/지우.json\n")
    #expect(saved == ["지우.json"])
    #expect(try run("profiles", "delete", "지우").status == 0)
    #expect(saved.isEmpty)
  }

  @Test("A profile goes out to a file and comes back under its own name or another")
  func exchange() throws {
    try run("profiles", "copy", "low", "anna")
    #expect(try run("profiles", "export", "anna", scratch.path("anna.json")).status == 0)
    let taken = try run("profiles", "import", scratch.path("anna.json"))
    #expect(taken.status == 73 && taken.errors.contains("there is a profile “anna” already"))
    #expect(try run("profiles", "import", scratch.path("anna.json"), "berta").status == 0)
    #expect(saved == ["anna.json", "berta.json"])
    #expect(try run("profiles", "export", "berta", "-").output.contains("\"name\" : \"berta\""))
  }

  @Test("A file of version 1 is imported as one of today's")
  func migrated() throws {
    let old = #"{"name":"old","tilt":{"begin":14,"end":10,"fullLeft":28,"fullRight":28,"curve":1.5},"#
    try Data((old + #""purse":{"begin":0.9,"end":0.5}}"#).utf8).write(to: URL(filePath: scratch.path("old.json")))
    #expect(try run("profiles", "import", scratch.path("old.json")).status == 0)
    #expect(try run("profiles", "export", "old", "-").output.contains("\"version\" : 2"))
  }

  @Test(
    "What cannot be done says why, with its status",
    arguments: [
      (["copy", "medium", "low"], 64, "a preset's name"), (["copy", "medium", "../x"], 64, "it may hold no /"),
      (["copy", "nobody", "x"], 66, "there is no profile “nobody”; there are low, medium, high, anna"),
      (["copy", "medium", "anna"], 73, "there is a profile “anna” already"),
      (["rename", "low", "x"], 64, "a preset's name"), (["delete", "nobody"], 66, "there is no profile “nobody”"),
      (["delete", "high"], 64, "a preset's name"), (["import", "/nowhere/x.json"], 66, "no such file"),
      (["import", "/dev/zero"], 66, "not a regular file"), (["show"], 64, "faceplay profiles show NAME"),
      (["dance"], 64, "list, show, copy"), (["export", "anna", "/nowhere/x.json"], 73, "its folder does not exist"),
    ] as [([String], Int32, String)])
  func refused(words: [String], status: Int32, text: String) throws {
    try run("profiles", "copy", "medium", "anna")
    let outcome = try Program.run(["profiles"] + words, environment: ["XDG_DATA_HOME": scratch.folder.path()])
    #expect(outcome.status == status && outcome.errors.contains(text), "\(outcome.errors)")
    #expect(saved == ["anna.json"])
  }

  @Test("A broken profile is told beside the others, and kept")
  func broken() throws {
    try run("profiles", "copy", "medium", "anna")
    try Data("{".utf8).write(to: URL(filePath: folder + "/berta.json"))
    let list = try run("profiles", "list")
    #expect(list.output.contains("anna") && list.errors.contains("kept as \(folder)/berta.json.broken-1"))
    #expect(saved == ["anna.json", "berta.json.broken-1"])
  }

  @Test("Commands take a saved profile by its name, a file by its path, and say what there is for any other name")
  func chosen() throws {
    try run("profiles", "copy", "high", "anna")
    try run("profiles", "export", "anna", scratch.path("file.json"))
    let clip = try scratch.clip("short.mp4", "-t", "1")
    let truth = Checkout.root.appending(path: "clips/demo.truth.json").path()
    try FileManager.default.copyItem(atPath: truth, toPath: scratch.path("short.truth.json"))
    for (number, name) in ["anna", scratch.path("file.json")].enumerated() {
      let output = scratch.path("out\(number).jsonl")
      #expect(try run("export", clip, "-o", output, "--profile", name).status == 0)
      let header = try #require(try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").first)
      #expect(header.contains(#""sensitivity":{"purse":75,"tilt":75}"#) && header.contains(#""name":"anna""#))
    }
    #expect(try run("evaluate", clip, "--profile", "anna").output.hasPrefix("Sensitivity anna."))
    for command in ["track", "evaluate"] {
      let unknown = try run(command, clip, "--profile", "bert")
      #expect(unknown.status == 66 && unknown.errors.contains("there are low, medium, high, anna"))
    }
  }
}
