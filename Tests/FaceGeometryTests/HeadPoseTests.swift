// Head pose and lip shape from the mesh.
import Fixtures
import Testing

@testable import FaceGeometry

@Suite("Head pose")
struct HeadPoseTests {
  @Test(
    "Each angle is read back alone",
    arguments: [(-45.0, 0.0, 0.0), (20, 0, 0), (0, 30, 0), (0, -30, 0), (0, 0, 25), (0, 0, -25)])
  func single(roll: Double, yaw: Double, pitch: Double) throws {
    let pose = try pose(roll, yaw, pitch)
    #expect(abs(pose.roll - roll) < 0.01)
    #expect(abs(pose.yaw - yaw) < 0.01)
    #expect(abs(pose.pitch - pitch) < 0.01)
  }

  @Test("Turning the head while looking up or down is no tilt", arguments: [-20.0, 0, 20], [-25.0, 0, 25])
  func turning(pitch: Double, yaw: Double) throws {
    #expect(abs(try pose(0, yaw, pitch).roll) < 0.01)
  }

  @Test("A tilt keeps its angle whatever the yaw", arguments: [-25.0, -10, 0, 10, 25])
  func tiltedAndTurned(yaw: Double) throws {
    #expect(abs(try pose(15, yaw, 0).roll - 15) < 0.01)
  }

  @Test("The top of the head going to image left is a tilt to the player's right: positive")
  func sign() throws {
    let face = SyntheticFace.tilted(10).landmarks
    #expect(face[263].y < face[33].y)
    #expect(try #require(FaceSignals(face)).pose.roll > 0)
  }

  private func pose(_ roll: Double, _ yaw: Double, _ pitch: Double) throws -> HeadPose {
    var face = SyntheticFace()
    face.roll = roll
    face.yaw = yaw
    face.pitch = pitch
    return try #require(FaceSignals(face.landmarks)).pose
  }
}

@Suite("Lip shape")
struct LipShapeTests {
  @Test("Measures come back in interocular distances")
  func measures() throws {
    let lips = try #require(FaceSignals(SyntheticFace().landmarks)).lips
    #expect(abs(lips.widthOverNose - 1.22) < 1e-4)
    #expect(abs(lips.upperThickness - 0.07) < 1e-4)
    #expect(abs(lips.lowerThickness - 0.11) < 1e-4)
    #expect(abs(lips.innerGap) < 1e-4)
    #expect(abs(lips.middleDrop - 0.03) < 1e-4)
    #expect(abs(lips.noseToLip - 0.15) < 1e-4)
  }

  @Test("Distance, place and head pose do not change the lips' shape")
  func invariant() throws {
    let near = try #require(FaceSignals(SyntheticFace.pursed.landmarks)).lips
    var moved = SyntheticFace.pursed
    moved.interocular = 41
    moved.centre = SIMD2(90, 400)
    (moved.roll, moved.yaw, moved.pitch) = (30, 20, -15)
    let far = try #require(FaceSignals(moved.landmarks)).lips
    #expect(abs(near.widthOverNose - far.widthOverNose) < 1e-3)
    #expect(abs(near.upperThickness - far.upperThickness) < 1e-3)
    #expect(abs(near.middleDrop - far.middleDrop) < 1e-3)
    #expect(abs(near.noseToLip - far.noseToLip) < 1e-3)
  }

  @Test("The jaw is closed at rest and fully open at half an interocular distance")
  func jaw() throws {
    var face = SyntheticFace()
    #expect(try #require(FaceSignals(face.landmarks)).jawOpen == 0)
    face.innerGap = 0.26
    #expect(abs(try #require(FaceSignals(face.landmarks)).jawOpen - 0.5) < 1e-3)
    face.innerGap = 0.9
    #expect(try #require(FaceSignals(face.landmarks)).jawOpen == 1)
  }
}

@Suite("Landmarks")
struct FaceLandmarksTests {
  @Test("Only 478 finite points are a face")
  func count() {
    let point = SIMD3<Float>(1, 2, 3)
    #expect(FaceLandmarks(Array(repeating: point, count: 478)) != nil)
    #expect(FaceLandmarks(Array(repeating: point, count: 468)) == nil)
    var points = Array(repeating: point, count: 478)
    points[400].y = .nan
    #expect(FaceLandmarks(points) == nil)
  }

  @Test("Points in one place give no signals")
  func degenerate() throws {
    let face = try #require(FaceLandmarks(Array(repeating: SIMD3(5, 5, 5), count: 478)))
    #expect(FaceSignals(face) == nil)
    var points = Array(repeating: SIMD3<Float>(0, 0, 0), count: 478)
    points[263].x = 100
    #expect(FaceSignals(try #require(FaceLandmarks(points))) == nil, "no nose")
    points[2].y = 50
    #expect(FaceSignals(try #require(FaceLandmarks(points))) == nil, "no nose width")
  }

  @Test("An observation without a face has no confidence")
  func confidence() {
    #expect(FaceObservation(frameIndex: 0, timestamp: 0, confidence: 0.9, landmarks: nil).confidence == 0)
  }
}
