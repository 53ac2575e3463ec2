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

  @Test(
    "Presets are points of the defaults' sensitivity",
    arguments: zip(Preset.allCases, [(33.0, 25.0), (50, 50), (75, 75)]))
  func points(preset: Preset, percent: (tilt: Double, purse: Double)) throws {
    let point = Sensitivity(tilt: percent.tilt, purse: percent.purse)
    #expect(try profile(preset) == Profile(name: preset.rawValue, sensitivity: point))
  }

  @Test("Full speed lies within a comfortable neck tilt on every preset", arguments: Preset.allCases)
  func comfortable(preset: Preset) throws {
    let tilt = try profile(preset).effectiveTilt
    #expect(max(tilt.left.full, tilt.right.full) <= 30)
  }

  private func profile(_ preset: Preset) throws -> Profile {
    let path = root.appending(path: preset.path)
    return try Profile(json: try Data(contentsOf: path), path: path.path())
  }
}

@Suite("Profile files")
struct ProfileFileTests {
  private func load(_ json: String) throws -> Profile {
    try Profile(json: Data(json.utf8), path: "x.json")
  }

  private static let tilt = #""tilt":{"begin":11,"end":7.5,"fullLeft":22,"fullRight":22,"curve":1.5}"#

  @Test(
    "A file that is no profile says what is wrong",
    arguments: [
      ("", "it is not JSON"), ("[1", "it is not JSON"), ("[]", "it is not a JSON object"), ("{}", "name is missing"),
      (#"{"name":"x",\#(tilt)}"#, "purse is missing"),
      (#"{"name":"x",\#(tilt),"purse":{"begin":"a","end":0.4}}"#, "purse.begin is not what it should be"),
    ])
  func broken(json: String, reason: String) {
    #expect { try load(json) } throws: { "\($0)".contains(reason) }
  }

  @Test("A file whose settings cannot work says which")
  func unworkable() {
    let json = #"{"name":"x",\#(Self.tilt.replacing("22", with: "10")),"purse":{"begin":0.8,"end":0.4}}"#
    #expect { try load(json) } throws: { "\($0)".contains("tilt.left.begin is 11.0, but must be") }
  }

  @Test("A newer version's file is refused as such")
  func future() {
    #expect { try load(#"{"version":3,"name":"x"}"#) } throws: {
      if case .futureVersion(_, 3) = $0 as? ProfileError { true } else { false }
    }
  }

  @Test("Unknown keys are left alone")
  func unknownKeys() throws {
    let json = #"{"name":"x",\#(Self.tilt),"purse":{"begin":0.8,"end":0.4},"later":1}"#
    #expect(try load(json).name == "x")
  }
}
