// What decoders are told before the pictures: sequence and picture parameter sets, read as far as anybody here asks.

/// ITU-T H.264, 7.3.2.1.1, up to the cropping.
public struct SequenceParameterSet: Sendable, Equatable {
  /// `profile_idc`.
  public let profile: UInt8
  /// The six `constraint_set` flags and the two bits after them.
  public let constraints: UInt8
  /// Ten times the level's number.
  public let level: UInt8
  public let identifier: UInt32
  /// Luma samples after cropping.
  public let width: Int
  /// Luma samples after cropping.
  public let height: Int

  /// Baseline without its parts that no decoder has (annex A.2.1.1).
  public var isConstrainedBaseline: Bool { profile == 66 && constraints & 0x40 != 0 }

  /// As browsers and `CODECS` parameters write it (RFC 6381, 3.3): `avc1.42E01F`.
  public var codecString: String {
    "avc1." + [profile, constraints, level].map { Self.hexadecimal($0) }.joined()
  }

  private struct Limits {
    /// Macroblocks of a picture: `MaxFS` of level 5.2 (table A-1).
    static let macroblocks = 36_864
    /// Macroblocks a side at that level: the root of 8 MaxFS (A.3.1).
    static let side: UInt32 = 543
  }

  /// Throws `H264Error`.
  public init(_ unit: NALUnit) throws(H264Error) {
    guard unit.kind == .sequenceParameters else { throw .invalid("nal_unit_type") }
    var reader = BitReader(unit.payload)
    profile = UInt8(try reader.bits(8))
    constraints = UInt8(try reader.bits(8))
    level = UInt8(try reader.bits(8))
    identifier = try reader.unsigned("seq_parameter_set_id", upTo: 31)
    let chroma = Self.highProfiles.contains(profile) ? try Self.readChroma(&reader) : 1
    try Self.skipOrder(&reader)
    _ = try reader.unsigned("max_num_ref_frames", upTo: 16)
    _ = try reader.flag()
    let columns = Int(try reader.unsigned("pic_width_in_mbs_minus1", upTo: Limits.side - 1)) + 1
    let rows = Int(try reader.unsigned("pic_height_in_map_units_minus1", upTo: Limits.side - 1)) + 1
    let isProgressive = try reader.flag()
    if !isProgressive { _ = try reader.flag() }
    _ = try reader.flag()
    let fields = isProgressive ? 1 : 2
    guard columns * rows * fields <= Limits.macroblocks else { throw .unsupported("pictures beyond level 5.2") }
    let crop = try Self.readCrop(&reader)
    let unitX = chroma == 1 || chroma == 2 ? 2 : 1
    let unitY = (chroma == 1 ? 2 : 1) * fields
    width = columns * 16 - crop.horizontal * unitX
    height = rows * fields * 16 - crop.vertical * unitY
    guard width > 0, height > 0 else { throw .invalid("frame_cropping") }
  }

  /// Those with chroma and bit depth of their own choice.
  private static let highProfiles: Set<UInt8> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

  /// `chroma_format_idc`, or 0 where the planes are coded apart.
  private static func readChroma(_ reader: inout BitReader) throws(H264Error) -> UInt32 {
    let format = try reader.unsigned("chroma_format_idc", upTo: 3)
    let isApart = format == 3 ? try reader.flag() : false
    _ = try reader.unsigned("bit_depth_luma_minus8", upTo: 6)
    _ = try reader.unsigned("bit_depth_chroma_minus8", upTo: 6)
    _ = try reader.flag()
    if try reader.flag() {
      for list in 0..<(format == 3 ? 12 : 8) where try reader.flag() {
        try skipScalingList(&reader, count: list < 6 ? 16 : 64)
      }
    }
    return isApart ? 0 : format
  }

  /// 7.3.2.1.1.1.
  private static func skipScalingList(_ reader: inout BitReader, count: Int) throws(H264Error) {
    var last: Int64 = 8
    for _ in 0..<count {
      let delta = try reader.signed("delta_scale")
      guard (-128...127).contains(delta) else { throw .invalid("delta_scale") }
      let next = (last + delta + 256) % 256
      if next == 0 { return }
      last = next
    }
  }

  private static func skipOrder(_ reader: inout BitReader) throws(H264Error) {
    _ = try reader.unsigned("log2_max_frame_num_minus4", upTo: 12)
    switch try reader.unsigned("pic_order_cnt_type", upTo: 2) {
    case 0:
      _ = try reader.unsigned("log2_max_pic_order_cnt_lsb_minus4", upTo: 12)
    case 1:
      _ = try reader.flag()
      _ = try reader.signed("offset_for_non_ref_pic")
      _ = try reader.signed("offset_for_top_to_bottom_field")
      for _ in 0..<(try reader.unsigned("num_ref_frames_in_pic_order_cnt_cycle", upTo: 255)) {
        _ = try reader.signed("offset_for_ref_frame")
      }
    default: break
    }
  }

  private static func readCrop(_ reader: inout BitReader) throws(H264Error) -> (horizontal: Int, vertical: Int) {
    guard try reader.flag() else { return (0, 0) }
    func side() throws(H264Error) -> Int { Int(try reader.unsigned("frame_crop_offset", upTo: Limits.side * 16)) }
    let (left, right, top, bottom) = (try side(), try side(), try side(), try side())
    return (left + right, top + bottom)
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

/// ITU-T H.264, 7.3.2.2, its beginning.
public struct PictureParameterSet: Sendable, Equatable {
  public let identifier: UInt32
  public let sequenceIdentifier: UInt32
  /// CABAC, which baseline does not have, rather than CAVLC.
  public let usesArithmeticCoding: Bool

  /// Throws `H264Error`.
  public init(_ unit: NALUnit) throws(H264Error) {
    guard unit.kind == .pictureParameters else { throw .invalid("nal_unit_type") }
    var reader = BitReader(unit.payload)
    identifier = try reader.unsigned("pic_parameter_set_id", upTo: 255)
    sequenceIdentifier = try reader.unsigned("seq_parameter_set_id", upTo: 31)
    usesArithmeticCoding = try reader.flag()
  }
}
