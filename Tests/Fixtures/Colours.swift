// Pictures from one format to another, pixel by pixel as the standards say: what the product's own ways are held against.
import Frames

/// A plane of an I420, I422, NV12 or YUYV picture.
private struct Plane {
  let offset: Int
  let bytesPerRow: Int
  var step = 1
  var pairsColumns = false
  var pairsRows = false

  func index(row: Int, column: Int) -> Int {
    offset + (pairsRows ? row / 2 : row) * bytesPerRow + (pairsColumns ? column / 2 : column) * step
  }

  /// The value at a pixel of a picture of `size` pixels. A shared one lies in the middle of its pixels; each of them is
  /// three quarters of the way to it from the next one.
  func value(_ source: UnsafeRawBufferPointer, row: Int, column: Int, size: (width: Int, height: Int)) -> Double {
    let besideRow = pairsRows ? min(max(row + row % 2 * 2 - 1, 0), size.height - 1) : row
    let besideColumn = pairsColumns ? min(max(column + column % 2 * 2 - 1, 0), size.width - 1) : column
    func between(_ row: Int) -> Double {
      0.75 * Double(source[index(row: row, column: column)])
        + 0.25 * Double(source[index(row: row, column: besideColumn)])
    }
    return 0.75 * between(row) + 0.25 * between(besideRow)
  }

  static func all(_ layout: ChromaLayout, height: Int, bytesPerRow: Int) -> [Plane] {
    let chroma = bytesPerRow * height
    switch layout {
    case .yuyv:
      return [
        Plane(offset: 0, bytesPerRow: bytesPerRow, step: 2),
        Plane(offset: 1, bytesPerRow: bytesPerRow, step: 4, pairsColumns: true),
        Plane(offset: 3, bytesPerRow: bytesPerRow, step: 4, pairsColumns: true),
      ]
    case .nv12:
      return [Plane(offset: 0, bytesPerRow: bytesPerRow)]
        + [0, 1].map {
          Plane(offset: chroma + $0, bytesPerRow: bytesPerRow, step: 2, pairsColumns: true, pairsRows: true)
        }
    case .i420, .i422:
      let pairsRows = layout == .i420
      let size = bytesPerRow / 2 * (pairsRows ? (height + 1) / 2 : height)
      return [Plane(offset: 0, bytesPerRow: bytesPerRow)]
        + [0, size].map {
          Plane(offset: chroma + $0, bytesPerRow: bytesPerRow / 2, pairsColumns: true, pairsRows: pairsRows)
        }
    }
  }
}

extension Frame {
  /// The same picture in BGR24, chroma interpolated from the middle of the pixels that share it: as libjpeg does ("fancy
  /// upsampling"; the two differ by rounding only, by one at most), and as the product does wherever it samples. Giving
  /// all of them the same chroma is cruder: up to 12 levels off, which moves landmarks by up to 0.2 pixels.
  public var bgr: Frame {
    guard case .yuv(let layout, let encoding) = format else { return self }
    let planes = Plane.all(layout, height: height, bytesPerRow: bytesPerRow)
    return Frame(
      index: index, timestamp: timestamp, format: .bgr24, width: width, height: height, bytesPerRow: width * 3
    ) { target in
      withPixels { source in
        for row in 0..<height {
          for column in 0..<width {
            func value(_ plane: Int) -> Double {
              planes[plane].value(source, row: row, column: column, size: (width, height))
            }
            let colour = encoding.colour(value(0), value(1), value(2))
            let at = (row * width + column) * 3
            target[at] = colour.blue
            target[at + 1] = colour.green
            target[at + 2] = colour.red
          }
        }
      }
    }
  }

  /// The same luma and chroma in another layout, or taken for another encoding, or only a part of them, from an even row
  /// and column on. This must be a YUV picture.
  public func rearranged(
    as layout: ChromaLayout, _ other: ColourEncoding? = nil, x: Range<Int>? = nil, y: Range<Int>? = nil,
    padding: Int = 0
  ) -> Frame {
    guard case .yuv(let own, let encoding) = format else { preconditionFailure("no YUV picture") }
    let (x, y) = (x ?? 0..<width, y ?? 0..<height)
    let format = PixelFormat.yuv(layout, other ?? encoding)
    let targetBytesPerRow = format.leastBytesPerRow(width: x.count) + padding
    let from = Plane.all(own, height: height, bytesPerRow: bytesPerRow)
    let to = Plane.all(layout, height: y.count, bytesPerRow: targetBytesPerRow)
    return Frame(
      index: index, timestamp: timestamp, format: format, width: x.count, height: y.count,
      bytesPerRow: targetBytesPerRow
    ) { target in
      withPixels { source in
        for (from, to) in zip(from, to) {
          for row in 0..<y.count {
            for column in 0..<x.count {
              target[to.index(row: row, column: column)] =
                source[from.index(row: y.lowerBound + row, column: x.lowerBound + column)]
            }
          }
        }
      }
    }
  }
}

extension ColourEncoding {
  /// ITU-R BT.601-7 and BT.709-6: the differences are (B - Y) and (R - Y), each over twice what Y leaves of B or R.
  fileprivate func colour(_ luma: Double, _ blue: Double, _ red: Double) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let (kr, kb) = matrix == .bt709 ? (0.2126, 0.0722) : (0.299, 0.114)
    let y = isFullRange ? luma / 255 : (luma - 16) / 219
    let pb = (blue - 128) / (isFullRange ? 255 : 224)
    let pr = (red - 128) / (isFullRange ? 255 : 224)
    let (r, b) = (y + 2 * (1 - kr) * pr, y + 2 * (1 - kb) * pb)
    let g = (y - kr * r - kb * b) / (1 - kr - kb)
    func byte(_ value: Double) -> UInt8 { UInt8((min(max(value, 0), 1) * 255).rounded()) }
    return (byte(r), byte(g), byte(b))
  }
}
