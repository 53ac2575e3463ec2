// Which engine a landmarker gets.
import Fixtures
import Foundation
import Testing

@testable import FaceTracking

@Suite("Choice of the engine")
struct ChoiceTests {
  @Test("Unless told otherwise it is the fused engine with the best instructions this CPU has")
  func automatic() throws {
    let report = try Checkout.landmarker().engine
    #expect(report.engine == .fused && report.fallbackReason == nil && report.notice == nil)
    #expect(report.instructions == InstructionSet.allCases.last { $0.isAvailable })
  }

  @Test("An engine asked for is the one that is had", arguments: LandmarkEngine.allCases)
  func forced(engine: LandmarkEngine) throws {
    let report = try FaceTracker(modelsDirectory: Checkout.models.path(), engine: engine).engine
    #expect(report.engine == engine)
    #expect((report.instructions != nil) == (engine == .fused))
  }

  @Test("Every CPU has the baseline instructions")
  func baseline() {
    #expect(InstructionSet.baseline.isAvailable)
  }

  /// The file ends with the version of ONNX's operations: 12 instead of 11 is as good to OpenCV.
  private func unknownGraph() throws -> AlteredModels {
    try AlteredModels("detector.onnx") { $0[$0.count - 1] = 12 }
  }

  @Test("A graph that the fused engine does not know is left to OpenCV, which is told")
  func fallback() throws {
    let models = try unknownGraph()
    defer { models.remove() }
    let report = try FaceTracker(modelsDirectory: models.folder.path()).engine
    #expect(report.engine == .dnn)
    let notice = try #require(report.notice)
    #expect(notice.contains("detector.onnx") && notice.contains("opset 12"))
  }

  @Test("The fused engine, asked for by name, is refused for such a graph")
  func refused() throws {
    let models = try unknownGraph()
    defer { models.remove() }
    #expect {
      _ = try FaceTracker(modelsDirectory: models.folder.path(), engine: .fused)
    } throws: { error in
      guard case .engineUnavailable(let reason) = error as? FaceTrackerError else { return false }
      return reason.contains("detector.onnx") && "\(error)".contains("choose dnn")
    }
  }

  @Test("A network cut short anywhere is refused, also when its checksum fits", arguments: 1...8)
  func truncated(eighths: Int) throws {
    let models = try AlteredModels("landmarks-lips.onnx") { $0.removeLast($0.count * eighths / 8) }
    defer { models.remove() }
    #expect {
      _ = try FaceTracker(modelsDirectory: models.folder.path(), engine: .fused)
    } throws: { error in
      if case .engineUnavailable = error as? FaceTrackerError { true } else { false }
    }
  }

  @Test("A network in another's place is refused: its input or outputs do not fit")
  func exchanged() throws {
    let lips = try Data(contentsOf: Checkout.models.appending(path: "landmarks-lips.onnx"))
    let models = try AlteredModels("landmarks-left-eye.onnx") { $0 = lips }
    defer { models.remove() }
    #expect {
      _ = try FaceTracker(modelsDirectory: models.folder.path(), engine: .fused)
    } throws: { error in
      guard case .engineUnavailable(let reason) = error as? FaceTrackerError else { return false }
      return reason.contains("no such output")
    }
  }
}
