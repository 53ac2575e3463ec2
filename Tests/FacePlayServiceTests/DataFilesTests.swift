// Where data files are looked for.
import Foundation
import Testing

@testable import FacePlayService

@Suite("Data files")
struct DataFilesTests {
  /// A folder tree with these empty files in it.
  private func tree(_ files: [String]) throws -> URL {
    let root = FileManager.default.temporaryDirectory.appending(path: "data-\(UUID())")
    for file in files {
      let url = root.appending(path: file)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
    return root
  }

  @Test("FACEPLAY_DATA comes first, then beside the executable, then share/faceplay, then the checkout")
  func order() throws {
    let root = try tree([
      "data/f", "co/bin/f", "co/share/faceplay/f", "co/f", "co/bin/g", "co/share/faceplay/g", "co/g",
      "co/share/faceplay/h", "co/h", "co/i", "co/Package.swift",
    ])
    defer { try? FileManager.default.removeItem(at: root) }
    let data = DataFiles(
      environment: ["FACEPLAY_DATA": root.appending(path: "data").path()],
      executable: root.appending(path: "co/bin/faceplay").path())
    let found = try ["f", "g", "h", "i"].map { try data.path($0) }
    #expect(found == ["data/f", "co/bin/g", "co/share/faceplay/h", "co/i"].map { root.appending(path: $0).path() })
  }

  @Test("The checkout is found from deep inside its build folder")
  func deep() throws {
    let root = try tree(["Package.swift", "models/m", ".build/x86/release/faceplay"])
    defer { try? FileManager.default.removeItem(at: root) }
    let data = DataFiles(environment: [:], executable: root.appending(path: ".build/x86/release/faceplay").path())
    #expect(try data.path("models/m") == root.appending(path: "models/m").path())
  }

  @Test("A missing file says which, where it was looked for and what to do")
  func missing() {
    let data = DataFiles(environment: ["FACEPLAY_DATA": "/nowhere"], executable: "/bin/faceplay")
    #expect { try data.path("clips/none.mp4") } throws: { error in
      let text = "\(error)"
      return text.contains("clips/none.mp4") && text.contains("/nowhere") && text.contains("FACEPLAY_DATA")
    }
  }
}
