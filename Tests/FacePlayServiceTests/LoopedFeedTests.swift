// A clip that is played again and again.
import Capture
import FaceGeometry
import Fixtures
import Foundation
import Frames
import Gestures
import Synchronization
import Testing

@testable import FacePlayService

@Suite("Looped feed")
struct LoopedFeedTests {
  /// A trace of a few frames, without anybody.
  private static func trace(frames: Int) throws -> String {
    let header = #"{"schema":"faceplay.landmarks/1","points":478,"width":640,"height":480,"fps":1000,"scale":16}"#
    let path = FileManager.default.temporaryDirectory.appending(path: "loop-\(UUID()).fplm").path()
    let bytes = (0..<frames).flatMap { frame in
      let time = (0..<8).map { UInt8(truncatingIfNeeded: frame * 1_000_000 >> (8 * $0)) }
      return time + [UInt8](repeating: 0, count: 2 + FaceLandmarks.count * 6)
    }
    try (Data((header + "\n").utf8) + Data(bytes)).write(to: URL(filePath: path))
    return path
  }

  @Test("Frames are numbered on from one round to the next, and counted over all of them")
  func numbers() throws {
    let path = try Self.trace(frames: 5)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let feed = try LoopedFeed { try openFeed(path, pace: .fast, data: DataFiles()) }
    var numbers: [Int] = []
    try feed.run { observation in
      numbers.append(observation.frameIndex)
      if numbers.count == 12 { feed.stop() }
    }
    #expect(numbers == Array(0..<12))
    #expect(feed.metrics.tracking.framesOut == 12)
  }

  @Test("A source without a frame is an error, not a loop without an end")
  func empty() throws {
    let path = try Self.trace(frames: 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let feed = try LoopedFeed { try openFeed(path, pace: .fast, data: DataFiles()) }
    #expect(throws: CaptureError.self) { try feed.run { _ in } }
  }
}
