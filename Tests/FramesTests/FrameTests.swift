// A frame's pixels and time.
import Frames
import Testing

@Suite("Frame")
struct FrameTests {
  private func frame() -> Frame {
    Frame(index: 3, timestamp: 40, format: .bgr24, width: 2, height: 2, bytesPerRow: 8) { bytes in
      for offset in bytes.indices { bytes[offset] = UInt8(offset) }
    }
  }

  @Test("A frame holds the pixels it was made with")
  func pixels() {
    #expect(frame().withPixels { Array($0) } == Array(0..<16))
  }

  @Test("A retimed frame is the same picture at another time")
  func retimed() {
    let original = frame()
    let later = original.retimed(to: 90)
    #expect(later.timestamp == 90)
    #expect(later.index == 3)
    #expect(original.timestamp == 40)
    let addresses = [original, later].map { $0.withPixels { $0.baseAddress } }
    #expect(addresses[0] == addresses[1])
  }

  @Test(
    "A picture takes the rows and bytes of its format, sizes with shared chroma rounded up",
    arguments: [
      (.bgr24, 15, 3), (.yuv(.yuyv, .video), 12, 3), (.yuv(.nv12, .video), 6, 5), (.yuv(.i420, .video), 6, 5),
      (.yuv(.i422, .video), 6, 6),
    ] as [(PixelFormat, Int, Int)])
  func memory(format: PixelFormat, bytesPerRow: Int, rows: Int) {
    #expect(format.leastBytesPerRow(width: 5) == bytesPerRow)
    #expect(format.rows(height: 3) == rows)
    let frame = Frame(index: 0, timestamp: 0, format: format, width: 5, height: 3, bytesPerRow: bytesPerRow) {
      $0.initializeMemory(as: UInt8.self, repeating: 0)
    }
    #expect(frame.withPixels { $0.count } == bytesPerRow * rows)
  }

  @Test("What fails while the pixels are written is passed on")
  func fillFails() {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try Frame(index: 0, timestamp: 0, format: .bgr24, width: 1, height: 1, bytesPerRow: 3) { _ in throw Failure() }
    }
  }
}
