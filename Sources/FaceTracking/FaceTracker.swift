// Follows the player's face from frame to frame.

import FaceGeometry
import Frames

/// Turns frames into observations of one player's face. Frames of one source, in order, on one thread at a time.
public struct FaceTracker: ~Copyable {
  /// "sha256:" and the digest of the landmark network, for a stream's header.
  public let modelIdentifier: String
  /// How many frames the detector has been run on.
  public private(set) var searches = 0

  private let landmarker: FaceLandmarker
  private var lock = PlayerLock()

  /// What computes the networks.
  public var engine: EngineReport { landmarker.engine }

  /// Reads the networks in `modelsDirectory` and verifies them against its `models.sha256`. `engine` and `instructions`
  /// are the fastest that can be had, or those named.
  public init(
    modelsDirectory: String, engine: LandmarkEngine? = nil, instructions: InstructionSet? = nil
  ) throws(FaceTrackerError) {
    let files = try ModelFiles(directory: modelsDirectory)
    landmarker = try FaceLandmarker(files: files, engine: engine, instructions: instructions)
    modelIdentifier = files.landmarksIdentifier
  }

  /// The player's face in this frame. When the face is lost the detector runs at once, on the same frame.
  ///
  /// Throws `unusablePicture` or `failed`; the next frame may be tracked all the same.
  public mutating func track(_ frame: Frame) throws(FaceTrackerError) -> FaceObservation {
    let pictureSize = SIMD2(Float(frame.width), Float(frame.height))
    // Ends: following a lost face makes the next step a search, and after a search comes a wait.
    while true {
      switch lock.step(at: frame.timestamp, pictureSize: pictureSize) {
      case .follow(let place):
        let sighting = try landmarker.landmarks(in: frame, at: place)
        if lock.follow(sighting.map { FacePlace($0.landmarks) }) { return frame.observation(of: sighting) }
      case .search:
        if let sighting = try search(frame) { return frame.observation(of: sighting) }
      case .wait:
        return frame.observation(of: nil)
      }
    }
  }

  /// The player's landmarks, if the lock takes one of the faces in the picture for the player.
  private mutating func search(_ frame: Frame) throws(FaceTrackerError) -> FaceLandmarker.Sighting? {
    searches += 1
    var detections: [FaceLandmarker.Detection] = []
    for square in Square.covering(width: frame.width, height: frame.height) {
      detections += try landmarker.detect(in: frame, square: square)
    }
    for place in lock.candidates(among: Self.distinct(detections)) {
      guard let sighting = try landmarker.landmarks(in: frame, at: place) else { continue }
      if lock.lock(FacePlace(sighting.landmarks)) { return sighting }
    }
    return nil
  }

  /// Each face once, where the detector is surest of it: overlapping squares show the same face.
  private static func distinct(_ detections: [FaceLandmarker.Detection]) -> [FacePlace] {
    detections.sorted { $0.score > $1.score }.reduce(into: []) { faces, detection in
      if !faces.contains(where: { $0.isSameFace(as: detection.place) }) { faces.append(detection.place) }
    }
  }
}

extension Frame {
  fileprivate func observation(of sighting: FaceLandmarker.Sighting?) -> FaceObservation {
    FaceObservation(
      frameIndex: index, timestamp: timestamp, confidence: sighting?.presence ?? 0, landmarks: sighting?.landmarks)
  }
}
