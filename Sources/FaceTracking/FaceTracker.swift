// Follows the player's face from frame to frame.

import FaceGeometry
import Frames

/// Turns frames into observations of one player's face. Frames of one source, in order, on one thread at a time.
public struct FaceTracker: ~Copyable {
  /// "sha256:" and the digest of the landmark network, for a stream's header.
  public let modelIdentifier: String
  /// How many times the detector has run.
  public private(set) var detectorRuns = 0

  private let landmarker: FaceLandmarker
  private var lock = PlayerLock()

  /// What computes the networks.
  public var engine: EngineReport { landmarker.engine }

  /// Reads the networks in `modelsDirectory` and verifies them against its `models.sha256`. `engine` is the fastest that
  /// can be had, or the one named.
  public init(modelsDirectory: String, engine: LandmarkEngine? = nil) throws(FaceTrackerError) {
    let files = try ModelFiles(directory: modelsDirectory)
    landmarker = try FaceLandmarker(files: files, engine: engine)
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
        detectorRuns += 1
        for place in lock.candidates(among: try landmarker.detect(in: frame)) {
          guard let sighting = try landmarker.landmarks(in: frame, at: place) else { continue }
          if lock.lock(FacePlace(sighting.landmarks)) { return frame.observation(of: sighting) }
        }
      case .wait:
        return frame.observation(of: nil)
      }
    }
  }
}

extension Frame {
  fileprivate func observation(of sighting: FaceLandmarker.Sighting?) -> FaceObservation {
    FaceObservation(
      frameIndex: index, timestamp: timestamp, confidence: sighting?.presence ?? 0, landmarks: sighting?.landmarks)
  }
}
