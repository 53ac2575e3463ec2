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
/// - Whoever was seen elsewhere in the frame of the loss (a bystander, or someone about to cross in front) is not the
///   player, wherever they go for as long as they stay in sight.
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

  private enum Player {
    case unknown
    case tracked(SeenFace)
    /// `others` is `nil` until the frame of the loss has been searched.
    case lost(SeenFace, others: [SeenFace]?)
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
    if case .tracked(let face) = player { return .follow(face.place) }
    if case .lost(let face, _) = player, timestamp - face.time > settings.lockTime { player = .unknown }
    if let lastSearch, timestamp - lastSearch < settings.searchInterval { return .wait }
    lastSearch = timestamp
    if case .lost(let face, _) = player { return .searchNear(face.place) }
    return .searchEverywhere
  }

  /// Reports where the followed face is now, `nil` when there is none; true if it is the player's.
  mutating func follow(_ place: FacePlace?) -> Bool {
    guard case .tracked(let face) = player else { return false }
    if let place, canReach(place, from: face) {
      player = .tracked(SeenFace(place: place, time: now))
      return true
    }
    player = .lost(face, others: nil)
    lastSearch = nil
    return false
  }

  /// Which of the faces found in a picture may be the player's, likeliest first.
  mutating func candidates(among faces: [FacePlace]) -> [FacePlace] {
    let largeEnough = faces.filter { isLargeEnough($0) }
    guard case .lost(let last, let others) = player else {
      return largeEnough.sorted { prominence(of: $0) > prominence(of: $1) }
    }
    let theirs = others.map { places(of: $0, among: faces) } ?? faces.filter { !canReach($0, from: last) }
    player = .lost(last, others: theirs.map { SeenFace(place: $0, time: now) })
    return
      largeEnough
      .filter { canReach($0, from: last) && !theirs.contains($0) }
      .sorted { last.place.distance(to: $0) < last.place.distance(to: $1) }
  }

  /// Reports where a candidate's landmarks are; true if it is now the player.
  mutating func lock(_ place: FacePlace) -> Bool {
    guard isLargeEnough(place) else { return false }
    if case .lost(let last, let others) = player {
      // The landmarks found at a candidate's place may be those of the face beside it.
      let isAnother = (others ?? []).contains { $0.place.isSameFace(as: place) }
      guard canReach(place, from: last), !isAnother else { return false }
    }
    player = .tracked(SeenFace(place: place, time: now))
    return true
  }

  /// Which of the faces the others have become: for each the nearest in reach that is not taken. Who is out of sight is
  /// forgotten. Right while nobody covers more than half the way to the next person between two searches.
  private func places(of others: [SeenFace], among faces: [FacePlace]) -> [FacePlace] {
    var rest = faces
    return others.compactMap { other in
      rest.indices
        .filter { canReach(rest[$0], from: other) }
        .min { other.place.distance(to: rest[$0]) < other.place.distance(to: rest[$1]) }
        .map { rest.remove(at: $0) }
    }
  }

  private func isLargeEnough(_ face: FacePlace) -> Bool {
    face.size >= settings.smallestFace * pictureSize.min()
  }

  /// Whether the face can have come here from where it was last seen.
  private func canReach(_ place: FacePlace, from face: SeenFace) -> Bool {
    let seconds = Float(now - face.time) / 1e9
    return face.place.distance(to: place) <= settings.reach(after: seconds)
      && face.place.sizeRatio(to: place) <= settings.sizeChange(after: seconds)
  }

  /// Large and central faces come first: the size, less what the distance from the centre takes off it.
  private func prominence(of face: FacePlace) -> Float {
    let fromCentre = (face.centre - pictureSize / 2) / pictureSize
    return face.size * (1 - (fromCentre.x * fromCentre.x + fromCentre.y * fromCentre.y).squareRoot())
  }
}

/// A face at the time it was last seen.
private struct SeenFace {
  let place: FacePlace
  /// Nanoseconds.
  let time: Int64
}
