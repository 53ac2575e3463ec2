// What the tracker saw in one frame: a face's 478 points, or nobody.

/// The 478 points of MediaPipe's attention face mesh: 468 of the mesh (lips and eyes refined) and 5 per iris.
///
/// Coordinates are image pixels, x to the right and y down, never mirrored; z has the same scale, grows away from the
/// camera and is relative to the head's centre.
public struct FaceLandmarks: Sendable, Equatable {
  public static let count = 478

  public let points: [SIMD3<Float>]

  /// `nil` unless there are exactly `count` finite points.
  public init?(_ points: [SIMD3<Float>]) {
    guard points.count == Self.count,
      points.allSatisfy({ $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
    else { return nil }
    self.points = points
  }

  public subscript(index: Int) -> SIMD3<Float> { points[index] }
}

/// One frame's outcome.
public struct FaceObservation: Sendable, Equatable {
  /// The frame's number as its source counts them, from 0; dropped frames leave gaps.
  public let frameIndex: Int
  /// Nanoseconds: CLOCK_MONOTONIC for cameras, media time for clips.
  public let timestamp: Int64
  /// How sure the landmark network is that it sees a face, 0…1; 0 when there is none.
  public let confidence: Float
  /// `nil` when the player's face was not found.
  public let landmarks: FaceLandmarks?

  public init(frameIndex: Int, timestamp: Int64, confidence: Float, landmarks: FaceLandmarks?) {
    self.frameIndex = frameIndex
    self.timestamp = timestamp
    self.confidence = landmarks == nil ? 0 : confidence
    self.landmarks = landmarks
  }
}
