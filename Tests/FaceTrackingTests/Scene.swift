// Test support: people moved about in front of a grey wall.

import Frames

/// A 640x480 picture, 30 a second, with cut-outs pasted at given places.
struct Scene {
  static let width = 640
  static let height = 480
  static let framesPerSecond = 30.0

  /// Who is where; later ones are in front. `centre` is the cut-out's middle.
  struct Person {
    let cutout: Frame
    let centre: (x: Int, y: Int)
  }

  static func frame(_ index: Int, _ people: [Person]) -> Frame {
    Frame(
      index: index, timestamp: Int64(Double(index) / framesPerSecond * 1e9), format: .bgr24, width: width,
      height: height, bytesPerRow: width * 3
    ) { pixels in
      pixels.initializeMemory(as: UInt8.self, repeating: 150)
      for person in people { paste(person, into: pixels) }
    }
  }

  private static func paste(_ person: Person, into pixels: UnsafeMutableRawBufferPointer) {
    let cutout = person.cutout
    let left = person.centre.x - cutout.width / 2
    let top = person.centre.y - cutout.height / 2
    let columns = (0..<cutout.width).clamped(to: -left..<(width - left))
    cutout.withPixels { source in
      for row in (0..<cutout.height).clamped(to: -top..<(height - top)) {
        let from = source.baseAddress! + row * cutout.bytesPerRow + columns.lowerBound * 3
        let to = pixels.baseAddress! + ((top + row) * width + left + columns.lowerBound) * 3
        to.copyMemory(from: from, byteCount: columns.count * 3)
      }
    }
  }
}
