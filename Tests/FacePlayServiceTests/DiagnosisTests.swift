// What doctor finds.
import Foundation
import Testing

@testable import FacePlayService

@Suite("Diagnosis")
struct DiagnosisTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  @Test("A checkout is healthy: data, models and engine are found")
  func healthy() {
    let diagnosis = Diagnosis(data: DataFiles(environment: ["FACEPLAY_DATA": Self.root.path()], executable: nil))
    #expect(diagnosis.isHealthy)
    let subjects = diagnosis.findings.map(\.subject)
    #expect(subjects == ["data folders", "presets", "demo clip", "processor", "models", "engine"])
    #expect(diagnosis.findings.last!.detail.hasPrefix("fused"))
  }

  @Test("Without data each missing thing is bad and named, and the rest is still looked at")
  func missing() {
    let diagnosis = Diagnosis(data: DataFiles(environment: ["FACEPLAY_DATA": "/nowhere"], executable: nil))
    #expect(!diagnosis.isHealthy)
    let bad = diagnosis.findings.filter { $0.verdict == .bad }
    #expect(bad.map(\.subject) == ["presets", "demo clip", "models"])
    #expect(bad.allSatisfy { $0.detail.contains("FACEPLAY_DATA") })
    #expect(diagnosis.findings.contains { $0.subject == "processor" && $0.verdict == .good })
  }
}
