// What one stage of the pipeline has done so far.

/// Frames and latency of one stage as one value, for the live view and for whoever asks the service.
public struct StageMetrics: Sendable, Equatable {
  public var framesIn = 0
  public var framesOut = 0
  /// Frames that were damaged, or replaced by newer ones before anybody took them.
  public var framesDropped = 0
  /// What the stage took for each frame that went out.
  public var latency = LatencyHistogram()

  public init() {}
}
