// Landmark traces, as a specification.
import FaceGeometry
import Foundation
import Testing

@testable import GestureStream

private let header = TraceHeader(width: 640, height: 480, fps: 30)
private let headerLine =
  #"{"schema":"faceplay.landmarks/1","points":478,"width":640,"height":480,"fps":30,"scale":16}"#

/// A face whose points all differ, to a sixteenth of a pixel.
private func face(time: Int64, index: Int = 0, confidence: Float = 1) -> FaceObservation {
  let points = (0..<FaceLandmarks.count).map { point in
    SIMD3(Float(point) + 0.0625, Float(point) / 2 - 300, -Float(point) / 16)
  }
  return FaceObservation(
    frameIndex: index, timestamp: time, confidence: confidence, landmarks: FaceLandmarks(points))
}

private func nobody(time: Int64, index: Int = 0) -> FaceObservation {
  FaceObservation(frameIndex: index, timestamp: time, confidence: 0, landmarks: nil)
}

private func trace(_ observations: [FaceObservation], header: TraceHeader = header) throws -> [UInt8] {
  try written { output in
    let writer = try TraceWriter(output, header: header)
    for observation in observations { try writer.write(observation) }
  }
}

private func readAll(_ bytes: [UInt8]) throws -> (observations: [FaceObservation], isCutShort: Bool) {
  var reader = try TraceReader(InputFile(bytes: bytes, name: "test"))
  var observations: [FaceObservation] = []
  while let observation = try reader.next() { observations.append(observation) }
  return (observations, reader.isCutShort)
}

@Suite("Landmark traces")
struct TraceTests {
  @Test("The schema's layout: a line of JSON, then little-endian records of 2878 bytes")
  func layout() throws {
    let bytes = try trace([face(time: 0x0102_0304_0506), nobody(time: 0x0102_0304_0507)])
    let records = bytes.dropFirst(headerLine.utf8.count + 1)
    #expect(String(decoding: bytes.prefix(headerLine.utf8.count + 1), as: UTF8.self) == headerLine + "\n")
    #expect(records.count == 2 * 2878)
    // Time, confidence 1, x = 0.0625 px, y = −300 px, z = 0, all times 16.
    #expect(records.prefix(16) == [6, 5, 4, 3, 2, 1, 0, 0, 0xFF, 0xFF, 1, 0, 0x40, 0xED, 0, 0])
    #expect(records.suffix(2878) == [7, 5, 4, 3, 2, 1, 0, 0] + [UInt8](repeating: 0, count: 2870))
  }

  @Test("Observations come back as they were written, numbered in their order")
  func roundTrip() throws {
    let observations = [
      nobody(time: 0), face(time: 33_333_333, index: 1), face(time: 33_333_333, index: 2, confidence: 0.2),
    ]
    let read = try readAll(try trace(observations))
    #expect(read.observations == observations)
    #expect(!read.isCutShort)
  }

  @Test("A point too far out for an int16 stays at its edge")
  func saturation() throws {
    let far = try #require(FaceLandmarks(Array(repeating: SIMD3(1e30, -1e30, 2047.97), count: FaceLandmarks.count)))
    let observation = FaceObservation(frameIndex: 0, timestamp: 0, confidence: 1, landmarks: far)
    let read = try readAll(try trace([observation])).observations
    #expect(read[0].landmarks?[477] == SIMD3(2047.9375, -2048, 2047.9375))
  }

  @Test("A face stays a face however unsure", arguments: [0, 1e-9, -1, .nan] as [Float])
  func unsureFace(confidence: Float) throws {
    let read = try readAll(try trace([face(time: 0, confidence: confidence)])).observations
    #expect(read[0].landmarks != nil)
    #expect((0...0.001).contains(read[0].confidence))
  }

  @Test(
    "The scale leaves room for a face half outside the frame",
    arguments: [(640, 480, 16), (960, 540, 16), (1280, 720, 8), (1080, 1920, 8), (3840, 2160, 4), (65_535, 1, 1)])
  func scale(width: Int, height: Int, expected: Int) {
    #expect(TraceHeader(width: width, height: height, fps: 30).scale == expected)
  }

  @Test("A truncated trace is reported, and what came before is kept", arguments: [1, 2869, 2877])
  func truncated(missing: Int) throws {
    let bytes = try trace([face(time: 0), face(time: 1, index: 1)])
    let read = try readAll(bytes.dropLast(missing))
    #expect(read.observations == [face(time: 0)])
    #expect(read.isCutShort)
  }

  @Test(
    "A header that makes no sense is reported",
    arguments: [
      ("faceplay.landmarks/1", "faceplay.landmarks/2", .unsupportedSchema("faceplay.landmarks/2")),
      (#""points":478,"#, "", .missing("points")),
      ("478", "468", .outOfRange("points")),
      ("640", "0", .outOfRange("width")),
      ("480", "1e9", .outOfRange("height")),
      ("640", "64.5", .invalid("width")),
      (#""fps":30"#, #""fps":1e999"#, .invalid("fps")),
      (#""fps":30"#, #""fps":-30"#, .outOfRange("fps")),
      ("16}", "0}", .outOfRange("scale")),
      ("16}", "-16}", .outOfRange("scale")),
      ("16}", "16", .malformed),
      ("{", "\u{0}{", .malformed),
      (headerLine, "", .malformed),
    ] as [(String, String, StreamReadError.Cause)])
  func nonsenseHeader(piece: String, replacement: String, cause: StreamReadError.Cause) {
    let text = headerLine.replacingOccurrences(of: piece, with: replacement) + "\n"
    #expect(throws: StreamReadError(file: "test", place: .line(1), cause: cause)) { try TraceReader(InputFile(text)) }
  }

  @Test("An empty file is no trace")
  func empty() {
    #expect(throws: StreamReadError(file: "test", place: .line(1), cause: .noHeader)) { try TraceReader(InputFile("")) }
  }

  @Test("A trace of no frames is a trace")
  func noFrames() throws {
    let read = try readAll(Array(headerLine.utf8) + [0x0A])
    #expect(read.observations.isEmpty && !read.isCutShort)
  }

  @Test(
    "A time out of range or order is reported with its record",
    arguments: [
      (-1, .outOfRange("t")), (Int64.max, .outOfRange("t")), (4, .timeRunsBackwards),
    ] as [(Int64, StreamReadError.Cause)])
  func times(time: Int64, cause: StreamReadError.Cause) throws {
    var bytes = try trace([nobody(time: 5), nobody(time: 5)])
    withUnsafeBytes(of: time.littleEndian) { bytes.replaceSubrange(bytes.count - 2878..<bytes.count - 2870, with: $0) }
    #expect(throws: StreamReadError(file: "test", place: .record(2), cause: cause)) { try readAll(bytes) }
  }

  @Test(
    "Traces of real people are read whole and written again to the byte",
    .enabled(if: !Cases.traces.isEmpty, "skipped: no cases"), arguments: Cases.traces)
  func realTraces(name: String) throws {
    let original = try Data(contentsOf: URL(fileURLWithPath: Cases.trace(name)), options: .alwaysMapped)
    let records = original[(try #require(original.firstIndex(of: 0x0A)) + 1)...]
    var reader = try TraceReader(InputFile(path: Cases.trace(name)))
    var observations: [FaceObservation] = []
    while let observation = try reader.next() { observations.append(observation) }
    #expect(!reader.isCutShort)
    #expect(observations.count == records.count / 2878)
    let rewritten = try trace(observations, header: reader.header)
    #expect(try TraceReader(InputFile(bytes: rewritten, name: name)).header == reader.header)
    #expect(rewritten[(try #require(rewritten.firstIndex(of: 0x0A)) + 1)...].elementsEqual(records))
  }
}
