// Where a face is in the picture, how large and how turned: what the player lock compares.

import FaceGeometry
import Glibc

/// A face's box, reduced to a square around its middle.
struct FacePlace: Equatable, Sendable {
  /// Pixels.
  var centre: SIMD2<Float>
  /// The longer side of the face's box, pixels.
  var size: Float
  /// The eyes' line against the horizontal, radians; positive turns it towards image down on the right.
  var rotation: Float

  /// The side of the square in which landmarks are looked for, over the face's size: MediaPipe's margin
  /// (modules/face_landmark, face_detection_front_detection_to_roi and face_landmark_landmarks_to_roi).
  static let cropMargin: Float = 1.5
}

extension FacePlace {
  /// The place of a face whose box and eyes are known.
  init(topLeft: SIMD2<Float>, bottomRight: SIMD2<Float>, leftEye: SIMD2<Float>, rightEye: SIMD2<Float>) {
    let extent = bottomRight - topLeft
    centre = (topLeft + bottomRight) / 2
    size = max(extent.x, extent.y)
    rotation = atan2(rightEye.y - leftEye.y, rightEye.x - leftEye.x)
  }

  /// The place of a face whose landmarks are known.
  init(_ landmarks: FaceLandmarks) {
    var lower = SIMD2<Float>(repeating: .infinity)
    var upper = -lower
    for point in landmarks.points {
      lower = pointwiseMin(lower, SIMD2(point.x, point.y))
      upper = pointwiseMax(upper, SIMD2(point.x, point.y))
    }
    let (left, right) = (landmarks[33], landmarks[263])
    self.init(
      topLeft: lower, bottomRight: upper,
      leftEye: SIMD2(left.x, left.y), rightEye: SIMD2(right.x, right.y))
  }

  /// How far apart two faces are, in sizes of this one.
  func distance(to other: FacePlace) -> Float {
    let offset = other.centre - centre
    return (offset.x * offset.x + offset.y * offset.y).squareRoot() / size
  }

  /// Whether two sightings in one picture are of one face: no two heads fit this near to each other.
  func isSameFace(as other: FacePlace) -> Bool {
    distance(to: other) < 0.4
  }

  /// The other's size over this one's, as a factor of at least 1.
  func sizeRatio(to other: FacePlace) -> Float {
    max(size / other.size, other.size / size)
  }
}
