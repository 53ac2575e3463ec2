// Test support: clips of the cases, and people moved about in front of a grey wall.
import Capture
import Foundation
import Frames
import Testing

@testable import FaceTracking

enum Checkout {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
  static let models = root.appending(path: "models").path()
  /// The folder of clips with truth; tests that need it are skipped without it.
  static let cases =
    ProcessInfo.processInfo.environment["FACEPLAY_CASES"].map { URL(filePath: $0) }
    ?? root.appending(path: "../shared/cases").standardizedFileURL
  static let hasCases = FileManager.default.fileExists(atPath: cases.appending(path: "portrait.png").path())

  static func clip(_ name: String) throws -> ClipSource {
    try ClipSource(path: cases.appending(path: name).path(), pace: .fast)
  }
}

extension Trait where Self == ConditionTrait {
  static var needsCases: Self { .enabled(if: Checkout.hasCases, "skipped: no cases") }
}

/// A face to be pasted: a rectangle of a picture, by rows of BGR pixels.
struct Cutout {
  let rows: [[UInt8]]
  var width: Int { rows[0].count / 3 }

  /// Part of a frame, shrunk by a whole number, mirrored if asked.
  init(_ frame: Frame, x: Range<Int>, y: Range<Int>, shrunkBy factor: Int = 1, isMirrored: Bool = false) {
    rows = frame.withPixels { pixels in
      stride(from: y.lowerBound, to: y.upperBound, by: factor).map { row in
        let columns = Array(stride(from: x.lowerBound, to: x.upperBound, by: factor))
        return (isMirrored ? columns.reversed() : columns).flatMap { column in
          (0..<3).map { pixels[row * frame.bytesPerRow + column * 3 + $0] }
        }
      }
    }
  }
}

/// Pictures at 30 a second, 640x480 if not said. Later people are in front; what lies outside the picture is cut off.
enum Scene {
  static let size = (width: 640, height: 480)

  static func frame(
    _ index: Int, _ people: [(face: Cutout, x: Int, y: Int)], size: (width: Int, height: Int) = size
  ) -> Frame {
    Frame(
      index: index, timestamp: Int64(index) * 33_333_333, format: .bgr24, width: size.width, height: size.height,
      bytesPerRow: size.width * 3
    ) { pixels in
      pixels.initializeMemory(as: UInt8.self, repeating: 150)
      for (face, x, y) in people {
        let (left, top) = (x - face.width / 2, y - face.rows.count / 2)
        let columns = (left..<left + face.width).clamped(to: 0..<size.width)
        for (row, bytes) in face.rows.enumerated() where (0..<size.height).contains(top + row) && !columns.isEmpty {
          let visible = bytes[(columns.lowerBound - left) * 3..<(columns.upperBound - left) * 3]
          let start = ((top + row) * size.width + columns.lowerBound) * 3
          pixels[start..<start + visible.count].copyBytes(from: visible)
        }
      }
    }
  }
}
