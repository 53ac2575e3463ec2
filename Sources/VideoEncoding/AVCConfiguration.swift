// The `avcC` of MP4 and of WebCodecs' `description`: AVCDecoderConfigurationRecord.

/// ISO/IEC 14496-15, 5.3.3.1, of a stream whose parameter sets do not change.
public struct AVCConfiguration: Sendable, Equatable {
  public let sequence: SequenceParameterSet
  private let sequenceUnit: NALUnit
  private let pictureUnits: [NALUnit]

  /// Takes the parameter sets of a key frame's units. Throws `H264Error`: `invalid` where there is none of either.
  public init(_ units: [NALUnit]) throws(H264Error) {
    guard let first = units.first(where: { $0.kind == .sequenceParameters }) else {
      throw .invalid("sequence parameter set")
    }
    sequence = try SequenceParameterSet(first)
    sequenceUnit = first
    pictureUnits = units.filter { $0.kind == .pictureParameters }
    // The record counts them in a byte and their bytes in two.
    guard let pictures = UInt8(exactly: pictureUnits.count), pictures > 0 else {
      throw .invalid("picture parameter set")
    }
    for unit in pictureUnits where try PictureParameterSet(unit).sequenceIdentifier != sequence.identifier {
      throw .invalid("seq_parameter_set_id")
    }
    guard ([first] + pictureUnits).allSatisfy({ $0.bytes.count <= UInt16.max }) else {
      throw .invalid("parameter set length")
    }
  }

  public var bytes: [UInt8] {
    // Version 1, lengths of four bytes; reserved bits are ones.
    [1, sequence.profile, sequence.constraints, sequence.level, 0xFF, 0xE1] + Self.counted(sequenceUnit)
      + [UInt8(pictureUnits.count)] + pictureUnits.flatMap(Self.counted)
  }

  private static func counted(_ unit: NALUnit) -> [UInt8] {
    let count = unit.bytes.count
    return [UInt8(count >> 8), UInt8(count & 0xFF)] + unit.bytes
  }
}
