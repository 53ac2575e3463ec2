// A face made of numbers: the mesh points that geometry reads, posed and shaped at will.
import FaceGeometry
import Glibc

/// Lips and head as parameters, in the units of `LipShape` and degrees of `HeadPose`; defaults are a face at rest.
public struct SyntheticFace: Sendable {
  public var roll = 0.0
  public var yaw = 0.0
  public var pitch = 0.0
  public var widthOverNose = 1.22
  public var upperThickness = 0.07
  public var lowerThickness = 0.11
  public var innerGap = 0.0
  public var middleDrop = 0.03
  public var noseToLip = 0.15
  /// Pixels between the eyes' outer corners.
  public var interocular = 110.0
  /// Pixels.
  public var centre = SIMD2(320.0, 240.0)

  public init() {}

  public static func tilted(_ roll: Double) -> SyntheticFace {
    var face = SyntheticFace()
    face.roll = roll
    return face
  }

  /// Lips narrowed and thickened as in a firm purse.
  public static var pursed: SyntheticFace {
    var face = SyntheticFace()
    face.purse(1)
    return face
  }

  /// Narrows and thickens the lips; `share`: 0 at rest, 1 in a firm purse.
  public mutating func purse(_ share: Double) {
    widthOverNose *= 1 - 0.32 * share
    upperThickness *= 1 + 0.4 * share
    lowerThickness *= 1 + 0.2 * share
  }

  /// Widens and thins the lips.
  public mutating func smile() {
    widthOverNose *= 1.2
    upperThickness *= 0.85
  }

  /// Opens the lips as in talk, `seconds` into it: two syllables a second.
  public mutating func talk(_ seconds: Double) { innerGap = 0.05 * abs(sin(seconds * 2 * .pi * 2)) }

  public var landmarks: FaceLandmarks {
    let nowhere = SIMD3<Float>(Float(centre.x), Float(centre.y), 0)
    var points = [SIMD3<Float>](repeating: nowhere, count: FaceLandmarks.count)
    for (index, point) in facePoints {
      let posed = rotated(point) * interocular
      points[index] = SIMD3<Float>(Float(posed.x + centre.x), Float(posed.y + centre.y), Float(posed.z))
    }
    return FaceLandmarks(points)!
  }

  /// In interocular distances from the bridge of the nose, upright and looking at the camera.
  private var facePoints: [Int: SIMD3<Double>] {
    let noseWidth = 0.4
    let noseBase = 0.55
    let upperTop = noseBase + noseToLip
    let upperBottom = upperTop + upperThickness
    let lowerTop = upperBottom + innerGap
    let corners = (upperBottom + lowerTop) / 2 - middleDrop
    let halfMouth = widthOverNose * noseWidth / 2
    return [
      33: SIMD3(-0.5, 0, 0), 263: SIMD3(0.5, 0, 0), 168: .zero, 2: SIMD3(0, noseBase, 0),
      129: SIMD3(-noseWidth / 2, 0.5, 0), 358: SIMD3(noseWidth / 2, 0.5, 0),
      61: SIMD3(-halfMouth, corners, 0), 291: SIMD3(halfMouth, corners, 0),
      0: SIMD3(0, upperTop, 0), 13: SIMD3(0, upperBottom, 0), 14: SIMD3(0, lowerTop, 0),
      17: SIMD3(0, lowerTop + lowerThickness, 0),
    ]
  }

  /// Ry(yaw) · Rx(pitch) · Rz(roll), with `HeadPose`'s signs.
  private func rotated(_ point: SIMD3<Double>) -> SIMD3<Double> {
    func turn(_ first: Double, _ second: Double, by degrees: Double) -> (Double, Double) {
      let angle = degrees * .pi / 180
      return (cos(angle) * first - sin(angle) * second, sin(angle) * first + cos(angle) * second)
    }
    var result = point
    (result.x, result.y) = turn(result.x, result.y, by: -roll)
    (result.y, result.z) = turn(result.y, result.z, by: -pitch)
    (result.x, result.z) = turn(result.x, result.z, by: -yaw)
    return result
  }
}
