// Every pixel format that sources deliver, into the picture that is encoded.
import Frames
import Testing

@testable import VideoEncoding

@Suite("Pixel formats")
struct PixelFormatTests {
  /// The left half dark and bluish, the right half bright and reddish, in numbers of the encoding's own range.
  private func frame(_ layout: ChromaLayout, _ encoding: ColourEncoding, width: Int, height: Int) -> Frame {
    let format = PixelFormat.yuv(layout, encoding)
    let row = format.leastBytesPerRow(width: width)
    return Frame(
      index: 0, timestamp: 0, format: format, width: width, height: height, bytesPerRow: row
    ) { pixels in
      func value(_ plane: I420Picture.Plane, _ x: Int) -> UInt8 {
        let isLeft = x < width / 2
        switch plane {
        case .luma: return isLeft ? 50 : 200
        case .blue: return isLeft ? 160 : 100
        case .red: return isLeft ? 100 : 160
        }
      }
      let luma = row * height
      let chromaRows = layout == .i422 ? height : (height + 1) / 2
      for y in 0..<height {
        for x in 0..<width {
          switch layout {
          case .yuyv:
            pixels[y * row + x * 2] = value(.luma, x)
            pixels[y * row + x * 2 + 1] = value(x % 2 == 0 ? .blue : .red, x)
          case .nv12, .i420, .i422: pixels[y * row + x] = value(.luma, x)
          }
        }
      }
      guard layout != .yuyv else { return }
      for y in 0..<chromaRows {
        for x in 0..<width / 2 {
          switch layout {
          case .nv12:
            pixels[luma + y * row + x * 2] = value(.blue, x * 2)
            pixels[luma + y * row + x * 2 + 1] = value(.red, x * 2)
          default:
            pixels[luma + y * (row / 2) + x] = value(.blue, x * 2)
            pixels[luma + (chromaRows + y) * (row / 2) + x] = value(.red, x * 2)
          }
        }
      }
    }
  }

  private func converted(
    _ frame: Frame, _ width: Int, _ height: Int, _ scaling: EncodingSettings.Scaling
  ) throws -> I420Picture {
    guard let converter = PictureConverter(from: frame, width: width, height: height, scaling: scaling) else {
      throw VideoEncodingError.unsupported(width: width, height: height)
    }
    var picture = I420Picture(width: width, height: height)
    #expect(converter.convert(frame, into: &picture))
    return picture
  }

  @Test("Luma and chroma of every layout arrive where they were", arguments: ChromaLayout.allCases)
  func layouts(layout: ChromaLayout) throws {
    let frame = frame(layout, .video, width: 128, height: 96)
    let picture = try converted(frame, 128, 96, .fit)
    for (x, luma, blue, red) in [(20, 50, 160, 100), (100, 200, 100, 160)] {
      for y in [2, 50, 92] {
        #expect(abs(Int(picture[.luma, x, y]) - luma) <= 1)
        #expect(abs(Int(picture[.blue, x / 2, y / 2]) - blue) <= 1)
        #expect(abs(Int(picture[.red, x / 2, y / 2]) - red) <= 1)
      }
    }
  }

  @Test("The middle of every layout fills another shape", arguments: ChromaLayout.allCases)
  func middle(layout: ChromaLayout) throws {
    let frame = frame(layout, .video, width: 160, height: 96)
    let picture = try converted(frame, 96, 96, .fill)
    // The edge between the halves stays in the middle.
    #expect(abs(Int(picture[.luma, 40, 90]) - 50) <= 1 && abs(Int(picture[.luma, 56, 90]) - 200) <= 1)
    #expect(abs(Int(picture[.blue, 20, 40]) - 160) <= 1 && abs(Int(picture[.red, 28, 40]) - 160) <= 1)
  }

  @Test("Full range and BT.709 become BT.601 of limited range")
  func encodings() throws {
    let full = frame(.i422, .jpeg, width: 64, height: 64)
    let picture = try converted(full, 64, 64, .fit)
    // 16 + 219 · 50 / 255 and 128 + 224 · 32 / 255.
    #expect(abs(Int(picture[.luma, 10, 10]) - 59) <= 1 && abs(Int(picture[.blue, 5, 5]) - 156) <= 1)

    let wide = frame(.i420, ColourEncoding(.bt709, isFullRange: false), width: 64, height: 64)
    let other = try converted(wide, 64, 64, .fit)
    // R −11, G 48, B 107 by BT.709, and what BT.601 makes of them, red held at 0.
    #expect(abs(Int(other[.luma, 10, 10]) - 51) <= 2 && abs(Int(other[.blue, 5, 5]) - 161) <= 2)
    #expect(abs(Int(other[.red, 5, 5]) - 103) <= 2)
  }
}
