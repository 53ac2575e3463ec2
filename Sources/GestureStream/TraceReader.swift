// Landmark traces: reading.
import FaceGeometry

/// Reads a trace record by record: a chunk of it is in memory, never the whole.
public struct TraceReader {
  public let header: TraceHeader
  /// Whether the last record broke off in the middle; known once `next()` has returned `nil`.
  public private(set) var isCutShort = false
  private let input: InputFile
  private var recordsRead = 0
  private var lastTime: Int64 = 0

  /// Reads the header.
  public init(_ input: InputFile) throws(StreamReadError) {
    self.input = input
    guard let line = try input.line() else { throw input.error(.noHeader) }
    do {
      header = try JSONLineParser().decode(TraceHeader.self, from: line.bytes)
    } catch {
      throw input.error(error)
    }
  }

  /// The next frame's observation, numbered from 0; `nil` at the end. Once it has thrown, what follows is not worth
  /// reading.
  public mutating func next() throws(StreamReadError) -> FaceObservation? {
    let bytes = try input.bytes(TraceRecord.size)
    guard bytes.count == TraceRecord.size else {
      isCutShort = !bytes.isEmpty
      return nil
    }
    recordsRead += 1
    do throws(StreamReadError.Cause) {
      let observation = try TraceRecord.observation(in: bytes, frameIndex: recordsRead - 1, scale: header.scale)
      guard observation.timestamp >= lastTime else { throw .timeRunsBackwards }
      lastTime = observation.timestamp
      return observation
    } catch {
      throw StreamReadError(file: input.name, place: .record(recordsRead), cause: error)
    }
  }
}

extension TraceHeader: Decodable {
  private enum CodingKeys: String, CodingKey {
    case schema, points, width, height, fps, scale
  }

  /// Throws `StreamReadError.Cause` beside `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let schema = try fields.decode(String.self, forKey: .schema)
    guard schema == Self.schema else { throw StreamReadError.Cause.unsupportedSchema(schema) }
    _ = try fields.number(.points, in: FaceLandmarks.count...FaceLandmarks.count)
    self.init(
      width: try fields.number(.width, in: StreamLimits.pixels),
      height: try fields.number(.height, in: StreamLimits.pixels),
      fps: try fields.number(.fps, in: StreamLimits.framesPerSecond),
      scale: try fields.number(.scale, in: Self.scales))
  }
}
