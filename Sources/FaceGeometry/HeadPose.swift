// Where the head points, from the mesh's own depth.
import Glibc

/// The head's axes in the picture: x from the player's right eye to the left, y down the nose, z away from the camera.
struct HeadAxes {
  /// Distance between the eyes' outer corners in 3-D, pixels; greater than 0.
  let interocular: Float
  let x, y, z: SIMD3<Float>

  /// `nil` when the points are degenerate (eyes or nose in one place).
  init?(_ face: FaceLandmarks) {
    let acrossEyes = face[MeshPoint.leftEyeOuterCorner] - face[MeshPoint.rightEyeOuterCorner]
    let downNose = face[MeshPoint.noseBase] - face[MeshPoint.noseBridge]
    interocular = acrossEyes.length
    guard interocular > 1 else { return nil }
    x = acrossEyes / interocular
    let downward = downNose - downNose.dot(x) * x
    guard downward.length > 0.01 * interocular else { return nil }
    y = downward / downward.length
    z = x.cross(y)
  }
}

/// Head rotation in degrees.
///
/// With the axes as a matrix R = Ry(yaw) · Rx(pitch) · Rz(roll): roll is the neck's sideways bend in the head's own
/// frame, so that turning the head while looking up or down does not read as a tilt, as it does for the eye line
/// (0.5° apart below 10° of yaw, 4° at 20–30°).
public struct HeadPose: Sendable, Equatable {
  /// −180…180, positive when the head tilts to the player's right (its top moves to the image's left).
  public let roll: Double
  /// −90…90, positive when the player turns to their right.
  public let yaw: Double
  /// −90…90, positive when the player looks up; 0 when the line from the bridge to the base of the nose is parallel to
  /// the image, which a face looking straight ahead passes by 2–15°.
  public let pitch: Double

  init(_ axes: HeadAxes) {
    roll = -degrees(atan2(Double(axes.x.y), Double(axes.y.y)))
    yaw = -degrees(asin(Double(axes.x.z).clamped(to: -1...1)))
    pitch = -degrees(asin(Double(axes.y.z).clamped(to: -1...1)))
  }
}

private func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

extension Double {
  func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

extension SIMD3<Float> {
  func dot(_ other: Self) -> Float { (self * other).sum() }
  var length: Float { dot(self).squareRoot() }
  func cross(_ other: Self) -> Self {
    Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}
