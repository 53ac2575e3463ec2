// Landmark traces: writing.
import FaceGeometry

/// Takes observations in the order of their times, which are nanoseconds from the session's start. Frames' numbers are
/// not kept.
public struct TraceWriter {
  private let output: OutputFile
  private let header: TraceHeader

  /// Writes the header.
  public init(_ output: OutputFile, header: TraceHeader) throws(StreamWriteError) {
    self.output = output
    self.header = header
    try output.write(header.line)
  }

  public func write(_ observation: FaceObservation) throws(StreamWriteError) {
    try output.write(TraceRecord.bytes(observation, scale: header.scale))
  }
}

extension TraceHeader {
  fileprivate var line: [UInt8] {
    var line: [UInt8] = []
    line.append(#"{"schema":"#, string: Self.schema)
    line.append(#","points":"#, count: FaceLandmarks.count)
    line.append(#","width":"#, pixels: width)
    line.append(#","height":"#, pixels: height)
    line.append(#","fps":"#, fps: fps)
    line.append(#","scale":"#, count: scale)
    line.append("}\n")
    return line
  }
}
