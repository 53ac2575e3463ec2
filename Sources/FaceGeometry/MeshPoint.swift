// The mesh points that geometry is read from, by name; left and right are the player's.

/// Indices into `FaceLandmarks` (MediaPipe's canonical face mesh).
enum MeshPoint {
  static let rightEyeOuterCorner = 33
  static let leftEyeOuterCorner = 263
  static let noseBridge = 168
  static let noseBase = 2
  static let rightNostril = 129
  static let leftNostril = 358
  static let rightMouthCorner = 61
  static let leftMouthCorner = 291
  static let upperLipTop = 0
  static let upperLipBottom = 13
  static let lowerLipTop = 14
  static let lowerLipBottom = 17
}
