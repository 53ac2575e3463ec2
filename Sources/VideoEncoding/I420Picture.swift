// A picture as encoders take it and decoders give it: I420.

/// 8-bit luma and, at half its width and height, two planes of chroma; BT.601, of limited range unless said.
public struct I420Picture: Sendable, Equatable {
  /// Luma samples; even.
  public let width: Int
  /// Luma samples; even.
  public let height: Int
  /// Bytes from row to row: of luma, of either chroma plane.
  let strides: [Int]
  /// Where each plane begins in `bytes`.
  let offsets: [Int]
  var bytes: [UInt8]

  /// Which of the three planes.
  public enum Plane: Int, Sendable, CaseIterable {
    case luma, blue, red
  }

  /// Black. Sides must be even and positive.
  public init(width: Int, height: Int) {
    precondition(width > 0 && height > 0 && width % 2 == 0 && height % 2 == 0)
    self.width = width
    self.height = height
    // Chroma rows of whole 32 bytes, as libswscale's fast paths ask for.
    let stride = (width + 63) / 64 * 64
    strides = [stride, stride / 2, stride / 2]
    let (luma, chroma) = (stride * height, stride / 2 * (height / 2))
    offsets = [0, luma, luma + chroma]
    bytes = [UInt8](repeating: 128, count: luma + 2 * chroma)
    for index in 0..<luma { bytes[index] = 16 }
  }

  /// From the three planes' rows one after another, without padding; `nil` unless they have just this many samples.
  public init?(width: Int, height: Int, samples: [UInt8]) {
    guard width > 0, height > 0, width % 2 == 0, height % 2 == 0, samples.count == width * height * 3 / 2 else {
      return nil
    }
    self.init(width: width, height: height)
    var rest = samples[...]
    for plane in Plane.allCases {
      let size = size(of: plane)
      for row in 0..<size.height {
        let start = offsets[plane.rawValue] + row * strides[plane.rawValue]
        bytes.replaceSubrange(start..<start + size.width, with: rest.prefix(size.width))
        rest = rest.dropFirst(size.width)
      }
    }
  }

  public func size(of plane: Plane) -> (width: Int, height: Int) {
    plane == .luma ? (width, height) : (width / 2, height / 2)
  }

  public subscript(plane: Plane, x: Int, y: Int) -> UInt8 {
    get { bytes[index(plane, x, y)] }
    set { bytes[index(plane, x, y)] = newValue }
  }

  /// The plane's rows without padding, top to bottom.
  public func samples(of plane: Plane) -> [UInt8] {
    let size = size(of: plane)
    return (0..<size.height).flatMap { y -> ArraySlice<UInt8> in
      let start = offsets[plane.rawValue] + y * strides[plane.rawValue]
      return bytes[start..<start + size.width]
    }
  }

  /// Lays one colour over a rectangle, of which what lies outside the picture is left out.
  public mutating func fill(x: Range<Int>, y: Range<Int>, with colour: Colour) {
    let (columns, rows) = (x.clamped(to: 0..<width), y.clamped(to: 0..<height))
    guard !columns.isEmpty, !rows.isEmpty else { return }
    for row in rows { fillRow(.luma, columns, row, colour.luma) }
    let halved = columns.lowerBound / 2..<(columns.upperBound + 1) / 2
    for row in rows.lowerBound / 2..<(rows.upperBound + 1) / 2 {
      fillRow(.blue, halved, row, colour.blue)
      fillRow(.red, halved, row, colour.red)
    }
  }

  /// A colour as BT.601 writes it, in limited range.
  public struct Colour: Sendable, Equatable {
    public let luma: UInt8
    public let blue: UInt8
    public let red: UInt8

    public init(luma: UInt8, blue: UInt8, red: UInt8) {
      (self.luma, self.blue, self.red) = (luma, blue, red)
    }
  }

  private mutating func fillRow(_ plane: Plane, _ columns: Range<Int>, _ row: Int, _ value: UInt8) {
    let start = index(plane, columns.lowerBound, row)
    for index in start..<start + columns.count { bytes[index] = value }
  }

  private func index(_ plane: Plane, _ x: Int, _ y: Int) -> Int {
    let size = size(of: plane)
    precondition((0..<size.width).contains(x) && (0..<size.height).contains(y))
    return offsets[plane.rawValue] + y * strides[plane.rawValue] + x
  }
}
