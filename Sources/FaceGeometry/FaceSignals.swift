// One frame's signals as measured: no filter, no neutral.

/// What one face shows: head pose, lip shape and jaw opening.
public struct FaceSignals: Sendable, Equatable {
  /// Inner lip gap (in interocular distances) that counts as a jaw fully open; a wide yawn passes it.
  static let fullyOpenGap = 0.5
  /// Inner lip gap below which lips are closed: the mesh's own residue.
  static let closedGap = 0.02

  public let pose: HeadPose
  public let lips: LipShape
  /// 0 (lips closed) … 1 (wide open).
  public var jawOpen: Double {
    ((lips.innerGap - Self.closedGap) / (Self.fullyOpenGap - Self.closedGap)).clamped(to: 0...1)
  }

  public init(pose: HeadPose, lips: LipShape) {
    self.pose = pose
    self.lips = lips
  }

  /// `nil` when the points are degenerate: no tracker's output for a real face.
  public init?(_ face: FaceLandmarks) {
    guard let axes = HeadAxes(face), let lips = LipShape(face, axes) else { return nil }
    self.init(pose: HeadPose(axes), lips: lips)
  }
}
