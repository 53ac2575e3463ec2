// NAL units through both ways of writing them.
import Testing

@testable import VideoEncoding

@Suite("NAL units")
struct NALUnitTests {
  private let scratch = try! Scratch()

  private func units(_ lists: [UInt8]...) -> [NALUnit] { lists.compactMap { NALUnit($0[...]) } }

  @Test("Annex B to AVCC and back is the encoder's stream to the byte")
  func encoder() throws {
    let stream = try Encoding(frames: 35).stream
    let avcc = AVCC.bytes(of: AnnexB.units(in: stream))
    #expect(AnnexB.bytes(of: try AVCC.units(in: avcc)) == stream)
  }

  @Test("x264's NAL units come back to the byte, whichever start codes they had")
  func x264Stream() throws {
    let units = AnnexB.units(in: try x264(scratch, "-x264-params", "slices=3"))
    #expect(units.count > 120)
    let avcc = AVCC.bytes(of: units)
    let back = AnnexB.units(in: AnnexB.bytes(of: try AVCC.units(in: avcc)))
    #expect(back == units)
    #expect(AVCC.bytes(of: back) == avcc)
  }

  @Test("Random NAL units full of zeros and emulation bytes come back to the byte")
  func random() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let written = (0..<Int.random(in: 1...5)).map { _ in
        let payload = (0..<Int.random(in: 0...60)).map { _ in [0, 0, 0, 1, 2, 3, 4, 255].randomElement()! as UInt8 }
        return escaped(payload, &generator)
      }
      let units = written.compactMap { NALUnit($0[...]) }
      let annexB = AnnexB.bytes(of: units)
      #expect(AnnexB.units(in: annexB) == units)
      #expect(AnnexB.bytes(of: try AVCC.units(in: AVCC.bytes(of: units))) == annexB)
    }
  }

  /// As an encoder writes a payload: 7.3.1, with the stop bit that keeps the last byte from being 0.
  private func escaped(_ payload: [UInt8], _ generator: inout SystemRandomNumberGenerator) -> [UInt8] {
    var bytes: [UInt8] = [0x65]
    var zeros = 0
    for byte in payload + [0x80] {
      if zeros == 2 && byte <= 3 {
        bytes.append(3)
        zeros = 0
      }
      bytes.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return bytes
  }

  @Test("Start codes of three and four bytes divide; what is before the first and zeros after a unit are passed over")
  func startCodes() {
    let bytes: [UInt8] = [9, 9, 0, 0, 1, 0x67, 1, 0, 0, 0, 1, 0x68, 2, 0, 0, 0, 0, 1, 0x65, 3, 0, 0]
    #expect(AnnexB.units(in: bytes) == units([0x67, 1], [0x68, 2], [0x65, 3]))
    #expect(AnnexB.units(in: []).isEmpty && AnnexB.units(in: [0, 0, 1]).isEmpty && AnnexB.units(in: [1, 2]).isEmpty)
  }

  @Test("A payload is read without its emulation bytes")
  func payload() throws {
    #expect(units([0x67, 0, 0, 3, 1, 0, 0, 3, 0, 0, 3])[0].payload == [0, 0, 1, 0, 0, 0, 0])
  }

  @Test(
    "An AVCC length that makes no sense is refused",
    arguments: [
      ([0, 0, 0], H264Error.truncated), ([0, 0, 0, 2, 0x65], .truncated), ([255, 255, 255, 255, 1], .truncated),
      ([0, 0, 0, 0], .invalid("NAL unit length")), ([0, 0, 0, 1, 0x65, 0], .truncated),
    ] as [([UInt8], H264Error)])
  func badLengths(bytes: [UInt8], error: H264Error) {
    #expect(throws: error) { try AVCC.units(in: bytes) }
  }
}
