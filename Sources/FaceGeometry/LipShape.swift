// The lips' shape with head pose and distance taken out.
import Glibc

/// Lip measures in the face's own plane (the head's x and y axes), in units of the distance between the eyes' outer
/// corners, so that place, distance, resolution and head pose drop out.
public struct LipShape: Sendable, Equatable {
  /// Mouth width over nose width: the best single feature of a purse (0.62–0.89 of the player's own at rest).
  public let widthOverNose: Double
  /// Height of the upper lip's red.
  public let upperThickness: Double
  /// Height of the lower lip's red.
  public let lowerThickness: Double
  /// Opening between the lips.
  public let innerGap: Double
  /// How far the mouth's middle hangs below its corners.
  public let middleDrop: Double
  /// From the base of the nose down to the upper lip's top.
  public let noseToLip: Double

  public init(
    widthOverNose: Double, upperThickness: Double, lowerThickness: Double, innerGap: Double, middleDrop: Double,
    noseToLip: Double
  ) {
    self.widthOverNose = widthOverNose
    self.upperThickness = upperThickness
    self.lowerThickness = lowerThickness
    self.innerGap = innerGap
    self.middleDrop = middleDrop
    self.noseToLip = noseToLip
  }

  init?(_ face: FaceLandmarks, _ axes: HeadAxes) {
    let origin = face[MeshPoint.noseBridge]
    func inPlane(_ index: Int) -> SIMD2<Double> {
      let offset = (face[index] - origin) / axes.interocular
      return SIMD2(Double(offset.dot(axes.x)), Double(offset.dot(axes.y)))
    }
    func distance(_ first: Int, _ second: Int) -> Double {
      let difference = inPlane(first) - inPlane(second)
      return (difference * difference).sum().squareRoot()
    }
    let noseWidth = distance(MeshPoint.rightNostril, MeshPoint.leftNostril)
    guard noseWidth > 0.01 else { return nil }
    let middle = (inPlane(MeshPoint.upperLipBottom).y + inPlane(MeshPoint.lowerLipTop).y) / 2
    let corners = (inPlane(MeshPoint.rightMouthCorner).y + inPlane(MeshPoint.leftMouthCorner).y) / 2
    self.init(
      widthOverNose: distance(MeshPoint.rightMouthCorner, MeshPoint.leftMouthCorner) / noseWidth,
      upperThickness: distance(MeshPoint.upperLipTop, MeshPoint.upperLipBottom),
      lowerThickness: distance(MeshPoint.lowerLipTop, MeshPoint.lowerLipBottom),
      innerGap: distance(MeshPoint.upperLipBottom, MeshPoint.lowerLipTop),
      middleDrop: middle - corners,
      noseToLip: inPlane(MeshPoint.upperLipTop).y - inPlane(MeshPoint.noseBase).y)
  }
}
