// Test support: the models, whole or altered, and faces of the demo clip.
import Capture
import Fixtures
import Foundation
import Frames
import Testing

@testable import FaceTracking

extension Checkout {
  static func landmarker(
    _ engine: LandmarkEngine? = nil, _ instructions: InstructionSet? = nil
  ) throws -> FaceLandmarker {
    try FaceLandmarker(
      files: ModelFiles(directory: models.path()), engine: engine, instructions: instructions)
  }

  /// Every `interval`th frame of the demo clip.
  static func frames(every interval: Int, of count: Int) throws -> [Frame] {
    let clip = try ClipSource(path: demo, pace: .fast)
    var frames: [Frame] = []
    while frames.count < count, let frame = try clip.next() {
      if frame.index.isMultiple(of: interval) { frames.append(frame) }
    }
    return frames
  }
}

extension Square {
  static func whole(_ frame: Frame) -> Square {
    let size = SIMD2(Float(frame.width), Float(frame.height))
    return Square(centre: size / 2, side: size.max())
  }
}

/// A copy of the models whose checksum list fits whatever was done to them.
struct AlteredModels {
  let folder = FileManager.default.temporaryDirectory.appending(path: "models-\(UUID())")

  init(_ name: String, alter: (inout Data) -> Void) throws {
    try FileManager.default.copyItem(at: Checkout.models, to: folder)
    let file = folder.appending(path: name)
    var bytes = try Data(contentsOf: file)
    alter(&bytes)
    try bytes.write(to: file)
    try sumUp()
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  private func sumUp() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sha256sum")
    process.arguments = ModelFiles.names
    process.currentDirectoryURL = folder
    let list = Pipe()
    process.standardOutput = list
    try process.run()
    let bytes = try list.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try bytes.write(to: folder.appending(path: ModelFiles.checksumFile))
  }
}
