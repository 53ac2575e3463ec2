// Any bytes as H.264 and as an MP4 file's boxes: parsers come to an end, what they split goes together again, and the
// decoder survives.
//
// The first byte says as what the rest is taken: an access unit in Annex B for the decoder, AVCC, a parameter set, or
// boxes.
import VideoEncoding

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = bytes.first else { return 0 }
  let rest = Array(bytes.dropFirst())
  switch choice % 4 {
  case 0: decode(rest)
  case 1: convert(rest)
  case 2: findBox(rest)
  default:
    guard let unit = NALUnit(rest[...]) else { return 0 }
    _ = try? SequenceParameterSet(unit)
    _ = try? PictureParameterSet(unit)
  }
  return 0
}

/// Units that share one decoder, as damaged ones and those after them do.
private func decode(_ bytes: [UInt8]) {
  guard var decoder = try? VideoDecoder() else { return }
  let units = AnnexB.units(in: bytes)
  if let configuration = try? AVCConfiguration(units) { precondition(configuration.bytes.first == 1) }
  for unit in [bytes] + units.map({ AnnexB.bytes(of: [$0]) }) { _ = try? decoder.decode(unit) }
}

private func convert(_ bytes: [UInt8]) {
  let units = AnnexB.units(in: bytes)
  let written = AnnexB.bytes(of: units)
  precondition(AnnexB.units(in: written) == units)
  guard let back = try? AVCC.units(in: AVCC.bytes(of: units)) else { fatalError("own AVCC cannot be read") }
  precondition(back == units)
  guard let foreign = try? AVCC.units(in: bytes) else { return }
  precondition(AVCC.bytes(of: foreign) == bytes)
}

private func findBox(_ bytes: [UInt8]) {
  let name = Array("a box for fuzzing".utf8.prefix(16))
  let find = { (bytes: [UInt8]) in
    MP4Box(named: name, size: Int64(bytes.count), longest: bytes.count) { offset, count in
      // Never asked for what is behind the file.
      Array(bytes[Int(offset)...].prefix(count))
    }
  }
  _ = find(bytes)
  let own = MP4Box(name: name, content: bytes)
  precondition(find(own.bytes) == own)
  // Damage behind a whole box takes nothing away from it.
  precondition(find(own.bytes + bytes) != nil)
}
