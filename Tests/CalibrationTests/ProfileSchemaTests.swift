// The JSON Schema against the files, by Debian's python3-jsonschema.
import Fixtures
import Foundation
import Gestures
import Testing

@testable import Calibration

/// Python's JSON Schema validator on the profiles' schema.
private enum Validator {
  /// For each file whether it fits the schema; `nil` without a validator.
  static func verdicts(on files: [String]) -> [Bool]? {
    let script = """
      import json, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      validator = jsonschema.validators.validator_for(schema)
      validator.check_schema(schema)
      for file in sys.argv[2:]:
          print(int(validator(schema).is_valid(json.load(open(file)))))
      """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    let schema = Checkout.root.appending(path: "calibration/profile.schema.json").path()
    process.arguments = ["-c", script, schema] + files
    let output = Pipe()
    process.standardOutput = output
    guard (try? process.run()) != nil else { return nil }
    let text = (try? output.fileHandleForReading.readToEnd()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    process.waitUntilExit()
    return process.terminationStatus == 0 ? text.split(separator: "\n").map { $0 == "1" } : nil
  }
}

@Suite(
  "Profile schema", .enabled(if: Validator.verdicts(on: []) != nil, "skipped: no python3-jsonschema"))
struct ProfileSchemaTests {
  private let folder = ProfileFolder()

  @Test("Presets and saved profiles fit")
  func fitting() async throws {
    try await folder.store.save(Profile(name: "지우"))
    let neutral = Neutral(
      roll: -3, yaw: 20, widthOverNose: 1.2, upperThickness: 0.07, lowerThickness: 0.1, middleDrop: 0.03,
      noseToLip: 0.15)
    let ends = Sensitivity(tilt: 0, purse: 100)
    try await folder.store.save(Profile(name: "Anna B.", neutral: neutral, sensitivity: ends))
    let presets = Preset.allCases.map { Checkout.root.appending(path: $0.path).path() }
    #expect(Validator.verdicts(on: presets + folder.files.map(folder.file)) == [true, true, true, true, true])
  }

  @Test("What is refused on reading does not fit")
  func broken() throws {
    let good = String(decoding: try Profile(name: "anna").json(), as: UTF8.self)
    let changes = [
      ("\"version\" : 2", "\"version\" : 3"), ("\"name\" : \"anna\"", "\"name\" : \"\""),
      ("\"name\" : \"anna\"", "\"name\" : \"../anna\""), ("\"name\" : \"anna\"", "\"name\" : \".anna\""),
      ("\"name\" : \"anna\"", "\"name\" : \"an\\nna\""), ("\"noise\" : 0.25", "\"noise\" : -1"),
      ("\"noise\" : 0.25", "\"noise\" : \"none\""), ("\"curve\" : 1.5,", ""), ("\"hold\" : 0.03", "\"hold\" : 9"),
      ("\"begin\" : 0.777", "\"begin\" : 1"), ("\"interval\" : 0", "\"interval\" : null"),
      ("\"tilt\" : 50", "\"tilt\" : 101"), ("\"isInverted\" : false", "\"isInverted\" : 0"),
      ("\"begin\" : 11", "\"begin\" : 0.5"), ("\"sensitivity\"", "\"sensibility\""),
    ]
    for (index, change) in changes.enumerated() {
      let text = good.replacing(change.0, with: change.1)
      try #require(text != good)
      try folder.put(text, in: "\(index + 10).json")
      #expect(throws: ProfileError.self, "\(change)") { try Profile(json: Data(text.utf8), path: "") }
    }
    #expect(Validator.verdicts(on: folder.files.map(folder.file)) == changes.map { _ in false })
  }
}
