// Model files that are not as they should be: one clear error, never a crash.

import Fixtures
import FoundationEssentials
import Testing

@testable import FaceTracking

@Suite struct ModelFilesTests {
  @Test("The models of the checkout load, and the landmark network is known by its SHA-256")
  func intact() throws {
    let tracker = try FaceTracker(modelsDirectory: Checkout.models.path())
    #expect(
      tracker.modelIdentifier == "sha256:7eb53a6f9aea1c1c8ed67c71da47770e99aac36bf9b7a760caaa7d9e3ca548fb")
  }

  @Test("A missing file is named, with what to do", arguments: ModelFiles.names + [ModelFiles.checksumFile])
  func missing(name: String) throws {
    let directory = try ModelsCopy()
    try directory.remove(name)
    let error = #expect(throws: FaceTrackerError.modelMissing(path: directory.path(name))) { try directory.load() }
    let text = try #require(error).description
    #expect(text.contains(directory.path(name)))
    #expect(text.contains("reinstall faceplay, set FACEPLAY_DATA"))
  }

  @Test("A missing directory is named")
  func missingDirectory() {
    #expect(throws: FaceTrackerError.modelMissing(path: "/nowhere/models.sha256")) {
      _ = try FaceTracker(modelsDirectory: "/nowhere")
    }
  }

  @Test("A truncated file is refused", arguments: ModelFiles.names)
  func truncated(name: String) throws {
    try expectAltered(name) { $0.removeLast($0.count / 3) }
  }

  @Test("A file with one bit flipped is refused", arguments: ModelFiles.names)
  func flipped(name: String) throws {
    try expectAltered(name) { $0[$0.count / 2] ^= 0x10 }
  }

  @Test("An empty file is refused", arguments: ModelFiles.names)
  func empty(name: String) throws {
    try expectAltered(name) { $0.removeAll() }
  }

  @Test("A directory in place of a file is refused", arguments: ModelFiles.names + [ModelFiles.checksumFile])
  func directory(name: String) throws {
    let directory = try ModelsCopy()
    try directory.remove(name)
    try FileManager.default.createDirectory(atPath: directory.path(name), withIntermediateDirectories: false)
    let error = #expect(throws: FaceTrackerError.self) { try directory.load() }
    guard case .modelUnreadable(directory.path(name), _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A checksum list without one of the files is refused")
  func unlisted() throws {
    let directory = try ModelsCopy()
    try directory.alter(ModelFiles.checksumFile) { $0.removeLast(40) }
    let error = #expect(throws: FaceTrackerError.self) { try directory.load() }
    guard case .modelAltered(directory.path(ModelFiles.checksumFile), _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("Bytes that are no network are refused although their checksum is right")
  func notANetwork() throws {
    let directory = try ModelsCopy()
    try directory.alter("detector.onnx") { $0 = Data("not a network".utf8) }
    // printf 'not a network' | sha256sum
    let digest = "0e668baeb36bdc26f2e1d0ef18231cf9691164e23adc211315ded82fd710e114"
    try directory.alter(ModelFiles.checksumFile) { $0.append(Data("\(digest)  detector.onnx\n".utf8)) }
    let error = #expect(throws: FaceTrackerError.self) { try directory.load() }
    guard case .modelRejected(directory.path("detector.onnx"), _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A network in another's place is refused although its checksum is right")
  func swapped() throws {
    let directory = try ModelsCopy()
    let eye = try Data(contentsOf: URL(filePath: directory.path("landmarks-left-eye.onnx")))
    try directory.alter("landmarks-lips.onnx") { $0 = eye }
    let digest = "5d021970937b86b110a32c96de99060252ed21f9c6460e318b2cac6021e9f767"
    try directory.alter(ModelFiles.checksumFile) { $0.append(Data("\(digest)  landmarks-lips.onnx\n".utf8)) }
    let error = #expect(throws: FaceTrackerError.self) { try directory.load() }
    guard case .modelRejected(directory.path("landmarks-lips.onnx"), _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "Checksum lists are read as sha256sum writes them, and other lines are passed over",
    arguments: [
      (digest + "  a.onnx\n", ["a.onnx"]), (digest + " *a.onnx", ["a.onnx"]), ("# a comment\n\n", []),
      (digest, []), (digest + "ff  a.onnx", []), ("zz" + digest.dropFirst(2) + "  a.onnx", []), ("\u{0}\u{FF}", []),
    ])
  func checksumLists(text: String, names: [String]) {
    #expect(ModelFiles.parse(text).keys.sorted() == names)
  }

  private static let digest = String(repeating: "0123456789abcdef", count: 4)

  private func expectAltered(_ name: String, by change: (inout Data) -> Void) throws {
    let directory = try ModelsCopy()
    try directory.alter(name, by: change)
    let error = #expect(throws: FaceTrackerError.self) { try directory.load() }
    guard case .modelAltered(directory.path(name), _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}

/// A copy of the models directory to damage, removed when it goes out of scope.
private struct ModelsCopy: ~Copyable {
  private let root: String

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "faceplay-models-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    for name in ModelFiles.names + [ModelFiles.checksumFile] {
      try FileManager.default.copyItem(atPath: "\(Checkout.models.path())/\(name)", toPath: path(name))
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func path(_ name: String) -> String { "\(root)/\(name)" }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  func alter(_ name: String, by change: (inout Data) -> Void) throws {
    var bytes = try Data(contentsOf: URL(filePath: path(name)))
    change(&bytes)
    try bytes.write(to: URL(filePath: path(name)))
  }

  func load() throws { _ = try FaceTracker(modelsDirectory: root) }
}
