// NAL units, and the two ways to write them one after another: Annex B and AVCC.

/// One NAL unit: its header and payload, emulation bytes included (ITU-T H.264, 7.3.1).
public struct NALUnit: Sendable, Equatable {
  public let bytes: ArraySlice<UInt8>

  /// `nal_unit_type` (table 7-1) of those that are told apart here.
  public enum Kind: UInt8, Sendable {
    case slice = 1
    case keySlice = 5
    case sequenceParameters = 7
    case pictureParameters = 8
    case delimiter = 9
  }

  /// `nil` for other kinds.
  public var kind: Kind? { Kind(rawValue: bytes[bytes.startIndex] & 0x1F) }

  /// `nil` for no bytes.
  public init?(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return nil }
    self.bytes = bytes
  }

  /// The payload without its emulation bytes (7.4.1): what parsers read.
  var payload: [UInt8] {
    var payload: [UInt8] = []
    payload.reserveCapacity(bytes.count)
    var zeros = 0
    for byte in bytes.dropFirst() {
      if zeros >= 2 && byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      payload.append(byte)
    }
    return payload
  }
}

/// NAL units after start codes (ITU-T H.264, annex B).
public enum AnnexB {
  private static let startCode: [UInt8] = [0, 0, 0, 1]

  /// The units of any bytes: what stands before the first start code is passed over, and so are zeros after a unit.
  public static func units(in bytes: [UInt8]) -> [NALUnit] {
    var units: [NALUnit] = []
    var start: Int?
    func add(upTo end: Int) {
      guard let start else { return }
      let trailing = bytes[start..<end].reversed().prefix { $0 == 0 }.count
      if let unit = NALUnit(bytes[start..<end - trailing]) { units.append(unit) }
    }
    bytes.withUnsafeBufferPointer { bytes in
      var index = 2
      while index < bytes.count {
        if bytes[index] > 1 {
          index += 3
        } else if bytes[index] == 1 && bytes[index - 1] == 0 && bytes[index - 2] == 0 {
          add(upTo: index - 2)
          start = index + 1
          index += 3
        } else {
          index += 1
        }
      }
    }
    add(upTo: bytes.count)
    return units
  }

  /// With start codes of four bytes.
  public static func bytes(of units: some Sequence<NALUnit>) -> [UInt8] {
    units.reduce(into: []) { $0 += startCode + $1.bytes }
  }
}

/// NAL units after their length in four bytes, as in MP4 (ISO/IEC 14496-15, 5.3.4.2).
public enum AVCC {
  private static let lengthSize = 4

  /// Throws `truncated` where a length reaches beyond the end, `invalid` for one of 0.
  public static func units(in bytes: [UInt8]) throws(H264Error) -> [NALUnit] {
    var units: [NALUnit] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard rest.count >= lengthSize else { throw .truncated }
      let length = rest.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(lengthSize)
      guard length <= rest.count else { throw .truncated }
      guard let unit = NALUnit(rest.prefix(length)) else { throw .invalid("NAL unit length") }
      units.append(unit)
      rest = rest.dropFirst(length)
    }
    return units
  }

  /// No unit may be longer than 4 GiB.
  public static func bytes(of units: some Sequence<NALUnit>) -> [UInt8] {
    units.reduce(into: []) { bytes, unit in
      let length = UInt32(unit.bytes.count)
      for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
      bytes += unit.bytes
    }
  }
}
