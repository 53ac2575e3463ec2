// Test support: clips of the cases, and cut-outs of their pictures.

import Capture
import Fixtures
import Foundation
import Frames
import Testing

@testable import FaceTracking

extension Checkout {
  static func clip(_ name: String) throws -> ClipSource {
    try ClipSource(path: cases.appending(path: name).path(), pace: .fast)
  }

  static func firstFrame(_ name: String) throws -> Frame { try #require(try clip(name).next()) }
}

extension Trait where Self == ConditionTrait {
  static var needsCases: Self { .enabled(if: Checkout.hasCases, "skipped: no cases") }
}

extension Frame {
  /// A rectangle of this picture, scaled by the nearest pixel, mirrored if asked.
  func cutout(x: Range<Int>, y: Range<Int>, scale: Double = 1, isMirrored: Bool = false) -> Frame {
    let width = Int(Double(x.count) * scale)
    let height = Int(Double(y.count) * scale)
    return Frame(
      index: 0, timestamp: 0, format: .bgr24, width: width, height: height, bytesPerRow: width * 3
    ) { target in
      withPixels { source in
        for row in 0..<height {
          for column in 0..<width {
            let fromColumn = x.lowerBound + Int(Double(isMirrored ? width - 1 - column : column) / scale)
            let from = (y.lowerBound + Int(Double(row) / scale)) * bytesPerRow + fromColumn * 3
            for channel in 0..<3 { target[(row * width + column) * 3 + channel] = source[from + channel] }
          }
        }
      }
    }
  }
}
