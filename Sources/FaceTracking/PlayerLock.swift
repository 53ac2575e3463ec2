// Who the player is: a state machine over the places of faces. It sees no pictures and reads no clock.

/// Keeps to one player among the faces in the picture.
///
/// Each frame the tracker asks for a `step`, takes it, and reports the outcome with `follow`, or with `candidates` and
/// `lock`; until it has a face or is told to wait it asks again, so that a frame in which the face is lost is searched.
///
/// - The first good face is locked: large enough, and the largest and most central of those there are.
/// - While it is tracked no other face is looked for. Its place may change only as far as a head moves in the time that
///   passed: landmarks that leap onto another person's face are a loss, not a movement.
/// - After a loss only a face near in place and size is the player's, the nearest first; after `lockTime` any good face.
/// - Time that runs backwards (a clip that begins again) or another picture size forgets the player.
struct PlayerLock: Sendable {
  /// What to do with a frame.
  enum Step: Equatable {
    /// Look for the player's landmarks around this place.
    case follow(FacePlace)
    /// Run the detector around the place where the player was lost.
    case searchNear(FacePlace)
    /// Run the detector on the whole picture.
    case searchEverywhere
    /// Nobody is there, and the detector ran a moment ago.
    case wait
  }

  private enum Player: Equatable {
    case unknown
    case tracked(FacePlace, at: Int64)
    case lost(FacePlace, at: Int64)
  }

  private let settings: PlayerLockSettings
  private var player = Player.unknown
  private var lastSearch: Int64?
  private var now = Int64.min
  private var pictureSize = SIMD2<Float>.zero

  init(settings: PlayerLockSettings = .default) {
    self.settings = settings
  }

  /// What to do with the frame of this time (nanoseconds) and size (pixels).
  mutating func step(at timestamp: Int64, pictureSize: SIMD2<Float>) -> Step {
    if timestamp < now || pictureSize != self.pictureSize { self = PlayerLock(settings: settings) }
    now = timestamp
    self.pictureSize = pictureSize
    switch player {
    case .tracked(let place, _):
      return .follow(place)
    case .lost(_, let lastSeen) where timestamp - lastSeen > settings.lockTime:
      player = .unknown
    case .lost, .unknown:
      break
    }
    if let lastSearch, timestamp - lastSearch < settings.searchInterval { return .wait }
    lastSearch = timestamp
    if case .lost(let place, _) = player { return .searchNear(place) }
    return .searchEverywhere
  }

  /// Reports where the followed face is now, `nil` when there is none; true if it is the player's.
  mutating func follow(_ place: FacePlace?) -> Bool {
    guard case .tracked(let last, let lastSeen) = player else { return false }
    if let place, isReachable(place, from: last, lastSeen: lastSeen) {
      player = .tracked(place, at: now)
      return true
    }
    player = .lost(last, at: lastSeen)
    lastSearch = nil
    return false
  }

  /// Which of the faces found in a picture may be the player's, likeliest first.
  func candidates(among faces: [FacePlace]) -> [FacePlace] {
    let largeEnough = faces.filter { isLargeEnough($0) }
    switch player {
    case .lost(let last, let lastSeen):
      return
        largeEnough
        .filter { isReachable($0, from: last, lastSeen: lastSeen) }
        .sorted { last.distance(to: $0) < last.distance(to: $1) }
    case .unknown, .tracked:
      return largeEnough.sorted { prominence(of: $0) > prominence(of: $1) }
    }
  }

  /// Reports where a candidate's landmarks are; true if it is now the player.
  mutating func lock(_ place: FacePlace) -> Bool {
    guard !candidates(among: [place]).isEmpty else { return false }
    player = .tracked(place, at: now)
    return true
  }

  private func isLargeEnough(_ face: FacePlace) -> Bool {
    face.size >= settings.smallestFace * pictureSize.min()
  }

  /// Whether the player's face can have come here from where it was last seen.
  private func isReachable(_ place: FacePlace, from last: FacePlace, lastSeen: Int64) -> Bool {
    let seconds = Float(now - lastSeen) / 1e9
    return last.distance(to: place) <= settings.reach(after: seconds)
      && last.sizeRatio(to: place) <= settings.sizeChange(after: seconds)
  }

  /// Large and central faces come first: the size, less what the distance from the centre takes off it.
  private func prominence(of face: FacePlace) -> Float {
    let fromCentre = (face.centre - pictureSize / 2) / pictureSize
    return face.size * (1 - (fromCentre.x * fromCentre.x + fromCentre.y * fromCentre.y).squareRoot())
  }
}
