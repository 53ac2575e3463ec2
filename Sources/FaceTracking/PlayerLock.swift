// Who the player is: a state machine over the places of faces. It sees no pictures and reads no clock.

/// Keeps to one player among the faces in the picture.
///
/// Each frame the tracker asks for a `step`, takes it, and reports the outcome with `follow`, or with `candidates` and
/// `lock`; until it has a face or is told to wait it asks again, so that a frame in which the face is lost is searched.
///
/// - The first good face is locked: large enough, and the largest and most central of those there are.
/// - While it is tracked no other face is looked for. Its place may change only as far as a head moves in the time that
///   passed: landmarks that leap onto another person's face are a loss, not a movement.
/// - After a loss only a face near in place and size is the player's, the nearest first. The longer the player is gone
///   the further they may have come back; after `lockTime` any good face becomes the player.
/// - Whoever was seen elsewhere in the frame of the loss (a bystander, or someone crossing in front) is not the player,
///   and is kept apart by their own movement for as long as they stay in sight.
/// - Time that runs backwards (a clip that begins again) or another picture size forgets the player.
struct PlayerLock: Sendable {
  /// What to do with a frame.
  enum Step: Equatable {
    /// Look for the player's landmarks around this place.
    case follow(FacePlace)
    /// Run the detector.
    case search
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
    if case .lost(let face, _) = player, seconds(from: face.time, to: now) > settings.lockTime { player = .unknown }
    if let lastSearch, seconds(from: lastSearch, to: now) < settings.searchInterval { return .wait }
    lastSearch = timestamp
    return .search
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
    let largeEnough = faces.filter { $0.size >= settings.smallestFace * pictureSize.min() }
    guard case .lost(let last, let others) = player else {
      return largeEnough.sorted { prominence(of: $0) > prominence(of: $1) }
    }
    var unclaimed = faces
    if let others {
      let stillThere = others.compactMap { claim($0, from: &unclaimed) }
      player = .lost(last, others: stillThere)
    } else {
      let elsewhere = faces.filter { !canReach($0, from: last) }
      player = .lost(last, others: elsewhere.map { SeenFace(place: $0, time: now) })
    }
    return
      largeEnough
      .filter { unclaimed.contains($0) && canReach($0, from: last) }
      .sorted { last.place.distance(to: $0) < last.place.distance(to: $1) }
  }

  /// Reports where a candidate's landmarks are; true if it is now the player.
  mutating func lock(_ place: FacePlace) -> Bool {
    if case .lost(let last, let others) = player {
      let isAnother = (others ?? []).contains { $0.place.isSameFace(as: place) }
      guard canReach(place, from: last), !isAnother else { return false }
    }
    guard place.size >= settings.smallestFace * pictureSize.min() else { return false }
    player = .tracked(SeenFace(place: place, time: now))
    return true
  }

  /// Takes out of `faces` the one that `other` has become; `nil` when they have been out of sight for long.
  private func claim(_ other: SeenFace, from faces: inout [FacePlace]) -> SeenFace? {
    let expected = other.expected(at: now)
    // Others may walk by as well as lean over: they are granted twice the player's speed.
    let allowance = 2 * seconds(from: other.time, to: now)
    let reachable = faces.indices.filter { canReach(faces[$0], from: expected, within: allowance) }
    if let nearest = reachable.min(by: { expected.distance(to: faces[$0]) < expected.distance(to: faces[$1]) }) {
      return other.seenAgain(at: faces.remove(at: nearest), time: now)
    }
    return seconds(from: other.time, to: now) < settings.othersKept ? other : nil
  }

  /// Whether the player's face can have come here from where it was last seen.
  private func canReach(_ place: FacePlace, from face: SeenFace) -> Bool {
    canReach(place, from: face.place, within: seconds(from: face.time, to: now))
  }

  private func canReach(_ place: FacePlace, from start: FacePlace, within seconds: Double) -> Bool {
    start.distance(to: place) <= settings.reach(after: seconds)
      && start.sizeRatio(to: place) <= settings.sizeChange(after: seconds)
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
  /// Pixels a second.
  var velocity = SIMD2<Float>.zero

  /// Where it is if it has moved on as before.
  func expected(at later: Int64) -> FacePlace {
    var place = place
    place.centre += velocity * Float(seconds(from: time, to: later))
    return place
  }

  func seenAgain(at place: FacePlace, time: Int64) -> SeenFace {
    let seconds = Float(max(seconds(from: self.time, to: time), 1e-3))
    return SeenFace(place: place, time: time, velocity: (place.centre - self.place.centre) / seconds)
  }
}

/// From one time in nanoseconds to another, without overflow.
private func seconds(from start: Int64, to end: Int64) -> Double {
  (Double(end) - Double(start)) / 1e9
}
