// One record of a landmark trace: a frame's observation as bytes.
import FaceGeometry

/// int64 time in nanoseconds, uint16 confidence (0 = no face, otherwise x/65535), int16 x, y, z of each point in pixels
/// times the header's scale (zeros without a face); all little-endian.
enum TraceRecord {
  static let size = pointsOffset + FaceLandmarks.count * pointSize
  private static let confidenceOffset = 8
  private static let pointsOffset = 10
  private static let pointSize = 6

  /// Coordinates saturate at what an int16 holds.
  static func bytes(_ observation: FaceObservation, scale: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let record = UnsafeMutableRawBufferPointer(buffer)
      record.initializeMemory(as: UInt8.self, repeating: 0)
      count = size
      let time = observation.timestamp.held(in: StreamLimits.time)
      record.storeBytes(of: time.littleEndian, as: Int64.self)
      guard let landmarks = observation.landmarks else { return }
      let confidence = Double(observation.confidence).held(in: StreamLimits.score)
      // A face so unsure that it would round to "no face" stays a face.
      let steps = max(1, UInt16((confidence * Double(UInt16.max)).rounded()))
      record.storeBytes(of: steps.littleEndian, toByteOffset: confidenceOffset, as: UInt16.self)
      for (index, point) in landmarks.points.enumerated() {
        store(point * Float(scale), in: record, at: pointsOffset + index * pointSize)
      }
    }
  }

  private static func store(_ point: SIMD3<Float>, in record: UnsafeMutableRawBufferPointer, at offset: Int) {
    let limits = (lower: SIMD3(repeating: Float(Int16.min)), upper: SIMD3(repeating: Float(Int16.max)))
    let steps = point.rounded(.toNearestOrAwayFromZero).clamped(lowerBound: limits.lower, upperBound: limits.upper)
    for axis in 0..<3 {
      let step = Int16(steps[axis]).littleEndian
      record.storeBytes(of: step, toByteOffset: offset + axis * MemoryLayout<Int16>.size, as: Int16.self)
    }
  }

  /// The observation in `size` bytes. Throws `outOfRange` for a time that is.
  static func observation(
    in bytes: ArraySlice<UInt8>, frameIndex: Int, scale: Int
  ) throws(StreamReadError.Cause) -> FaceObservation {
    let (time, confidence, landmarks) = bytes.withUnsafeBytes { record in
      let time = Int64(littleEndian: record.loadUnaligned(as: Int64.self))
      let confidence = UInt16(littleEndian: record.loadUnaligned(fromByteOffset: confidenceOffset, as: UInt16.self))
      return (time, confidence, confidence == 0 ? nil : points(in: record, scale: scale))
    }
    guard StreamLimits.time.contains(time) else { throw .outOfRange("t") }
    return FaceObservation(
      frameIndex: frameIndex, timestamp: time, confidence: Float(confidence) / Float(UInt16.max),
      landmarks: landmarks.flatMap(FaceLandmarks.init))
  }

  private static func points(in record: UnsafeRawBufferPointer, scale: Int) -> [SIMD3<Float>] {
    (0..<FaceLandmarks.count).map { index in
      func coordinate(_ axis: Int) -> Float {
        let offset = pointsOffset + index * pointSize + axis * MemoryLayout<Int16>.size
        return Float(Int16(littleEndian: record.loadUnaligned(fromByteOffset: offset, as: Int16.self))) / Float(scale)
      }
      return SIMD3(coordinate(0), coordinate(1), coordinate(2))
    }
  }
}
