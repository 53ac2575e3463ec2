// What doctor finds.
import Calibration
import Foundation
import Testing

@testable import FacePlayService

@Suite("Diagnosis")
struct DiagnosisTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  private static let folder = FileManager.default.temporaryDirectory.path()

  private func diagnosis(data: String, profiles: String = folder + "faceplay-none/profiles") -> Diagnosis {
    Diagnosis(
      data: DataFiles(environment: ["FACEPLAY_DATA": data], executable: nil), store: ProfileStore(folder: profiles))
  }

  @Test("A checkout is healthy: data, models and engine are found, and profiles can be saved")
  func healthy() {
    let diagnosis = diagnosis(data: Self.root.path())
    #expect(diagnosis.isHealthy)
    let subjects = diagnosis.findings.map(\.subject)
    #expect(subjects == ["data folders", "presets", "demo clip", "processor", "models", "engine", "profiles"])
    #expect(diagnosis.findings.first { $0.subject == "engine" }!.detail.hasPrefix("fused"))
    #expect(!FileManager.default.fileExists(atPath: Self.folder + "faceplay-none"))
  }

  @Test("A folder of profiles that cannot be written is bad, with where it is and what to set")
  func profiles() throws {
    let file = Self.folder + "faceplay-\(UUID())"
    try Data().write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let bad = diagnosis(data: Self.root.path(), profiles: file + "/profiles").findings.filter { $0.verdict == .bad }
    #expect(bad.map(\.subject) == ["profiles"])
    #expect(bad.allSatisfy { $0.detail.contains(file) && $0.detail.contains("$XDG_DATA_HOME") })
  }

  @Test("Without data each missing thing is bad and named, and the rest is still looked at")
  func missing() {
    let diagnosis = diagnosis(data: "/nowhere")
    #expect(!diagnosis.isHealthy)
    let bad = diagnosis.findings.filter { $0.verdict == .bad }
    #expect(bad.map(\.subject) == ["presets", "demo clip", "models"])
    #expect(bad.allSatisfy { $0.detail.contains("FACEPLAY_DATA") })
    #expect(diagnosis.findings.contains { $0.subject == "processor" && $0.verdict == .good })
  }
}
