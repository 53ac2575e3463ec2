// The presets as they ship.
import FoundationEssentials
import Gestures
import Testing

@testable import Calibration

@Suite("Presets")
struct PresetTests {
  private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test("Each preset is there, works and bears its name", arguments: Preset.allCases)
  func shipped(preset: Preset) throws {
    #expect(try profile(preset).name == preset.rawValue)
  }

  @Test("Medium is what the code's defaults are")
  func medium() throws {
    #expect(try profile(.medium) == Profile())
  }

  @Test("From low to high, smaller gestures do: every threshold falls")
  func order() throws {
    let profiles = try [Preset.low, .medium, .high].map(profile)
    for (less, more) in zip(profiles, profiles.dropFirst()) {
      #expect(less.tilt.begin > more.tilt.begin && less.tilt.end > more.tilt.end)
      #expect(less.tilt.fullLeft > more.tilt.fullLeft && less.tilt.fullRight > more.tilt.fullRight)
      #expect(less.purse.begin > more.purse.begin && less.purse.end > more.purse.end)
    }
  }

  @Test("Full speed lies within a comfortable neck tilt on every preset", arguments: Preset.allCases)
  func comfortable(preset: Preset) throws {
    let tilt = try profile(preset).tilt
    #expect(max(tilt.fullLeft, tilt.fullRight) <= 30)
  }

  private func profile(_ preset: Preset) throws -> Profile {
    try Profile(contentsOf: root.appending(path: preset.path).path())
  }
}

@Suite("Profile files")
struct ProfileFileTests {
  private func load(_ json: String) throws -> Profile {
    let path = FileManager.default.temporaryDirectory.appending(path: "profile-\(UUID()).json").path()
    try Data(json.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try Profile(contentsOf: path)
  }

  private static let tilt = #""tilt":{"begin":11,"end":7.5,"fullLeft":22,"fullRight":22,"curve":1.5}"#

  @Test("A missing file says so")
  func missing() {
    #expect { try Profile(contentsOf: "/nowhere/x.json") } throws: {
      if case .unreadable("/nowhere/x.json", _) = $0 as? ProfileError { true } else { false }
    }
  }

  @Test(
    "A file that is no profile says what is wrong",
    arguments: [
      ("", "it is not JSON"), ("[1", "it is not JSON"), ("{}", "name is missing"),
      (#"{"name":"x",\#(tilt)}"#, "purse is missing"),
      (#"{"name":"x",\#(tilt),"purse":{"begin":"a","end":0.4}}"#, "purse.begin is not what it should be"),
    ])
  func broken(json: String, reason: String) {
    #expect { try load(json) } throws: { "\($0)".contains(reason) }
  }

  @Test(
    "Settings that cannot work are refused by name",
    arguments: [
      ("tilt.begin", 0.5), ("tilt.begin", 61), ("tilt.end", 12), ("tilt.end", -1), ("tilt.fullLeft", 10),
      ("tilt.fullRight", 91), ("tilt.curve", 0), ("purse.end", 0), ("purse.begin", 0.4), ("purse.begin", 1),
    ])
  func unworkable(setting: String, value: Double) {
    let settings: [String: WritableKeyPath<Profile, Double>] = [
      "tilt.begin": \.tilt.begin, "tilt.end": \.tilt.end, "tilt.fullLeft": \.tilt.fullLeft,
      "tilt.fullRight": \.tilt.fullRight, "tilt.curve": \.tilt.curve, "purse.end": \.purse.end,
      "purse.begin": \.purse.begin,
    ]
    var profile = Profile()
    profile[keyPath: settings[setting]!] = value
    #expect { try profile.validate() } throws: { ($0 as? ProfileProblem)?.setting == setting }
  }

  @Test("Unknown keys are left alone")
  func unknownKeys() throws {
    let json = #"{"name":"x",\#(Self.tilt),"purse":{"begin":0.8,"end":0.4},"later":1}"#
    #expect(try load(json).name == "x")
  }
}
