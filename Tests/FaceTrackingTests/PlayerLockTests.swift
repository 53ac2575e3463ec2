// Who the player is, decided from places alone: no pictures, no networks.

import Testing

@testable import FaceTracking

/// A lock with a make-believe tracker around it: landmarks slide onto the nearest face that overlaps the place followed,
/// as the real network's do, and the detector sees whoever it is shown.
private final class Room {
  static let pictureSize = SIMD2<Float>(640, 480)

  private var lock = PlayerLock()
  private(set) var searches = 0

  /// The player's place in a frame that shows `faces`.
  func see(at milliseconds: Int, _ faces: [FacePlace]) -> FacePlace? {
    while true {
      switch lock.step(at: Int64(milliseconds) * 1_000_000, pictureSize: Self.pictureSize) {
      case .follow(let place):
        let near = faces.filter { place.distance(to: $0) < 0.75 }
        let seen = near.min { place.distance(to: $0) < place.distance(to: $1) }
        if lock.follow(seen) { return seen }
      case .search:
        searches += 1
        for candidate in lock.candidates(among: faces) where lock.lock(candidate) { return candidate }
      case .wait:
        return nil
      }
    }
  }

  /// Shows the same faces at 30 frames a second until `end`; the player's place in the last frame.
  func see(from start: Int, to end: Int, _ faces: [FacePlace]) -> FacePlace? {
    var place: FacePlace?
    for time in stride(from: start, through: end, by: 33) { place = see(at: time, faces) }
    return place
  }
}

private func face(_ x: Float, _ y: Float = 240, size: Float = 100) -> FacePlace {
  FacePlace(centre: SIMD2(x, y), size: size, rotation: 0)
}

@Suite struct PlayerLockTests {
  @Test("The first good face becomes the player")
  func firstFace() {
    let room = Room()
    #expect(room.see(at: 0, [face(200)]) == face(200))
  }

  @Test(
    "Of several faces the largest becomes the player, and of equal ones the most central",
    arguments: [
      ([face(320, size: 90), face(200, size: 150)], face(200, size: 150)),
      ([face(100), face(300), face(600)], face(300)),
    ])
  func prominence(faces: [FacePlace], player: FacePlace) {
    let room = Room()
    #expect(room.see(at: 0, faces) == player)
  }

  @Test("A face under an eighth of the picture's height never becomes the player")
  func smallFace() {
    let room = Room()
    #expect(room.see(from: 0, to: 10_000, [face(320, size: 59)]) == nil)
    #expect(room.see(from: 10_033, to: 10_200, [face(320, size: 61)]) == face(320, size: 61))
  }

  @Test("While the player is tracked the detector rests, and a larger face does not take over")
  func noTakeover() {
    let room = Room()
    _ = room.see(at: 0, [face(200)])
    #expect(room.see(from: 33, to: 3_000, [face(200), face(400, size: 200)]) == face(200))
    #expect(room.searches == 1)
  }

  @Test("A player who moves and leans is followed, and the detector rests")
  func movement() {
    let room = Room()
    for frame in 0..<60 {
      let place = face(100 + 7 * Float(frame), size: 100 + 2 * Float(frame))
      #expect(room.see(at: 33 * frame, [place]) == place)
    }
    #expect(room.searches == 1)
  }

  @Test(
    "A face that moves or grows more than a head can in the time is a loss",
    arguments: [
      // Milliseconds passed, pixels moved, size, still the player.
      (33, 30, 100, true), (33, 40, 100, false), (80, 60, 100, true), (80, 74, 100, false),
      (33, 0, 119, true), (33, 0, 122, false), (33, 0, 80, false),
    ] as [(Int, Float, Float, Bool)])
  func continuity(milliseconds: Int, moved: Float, size: Float, isPlayer: Bool) {
    let room = Room()
    _ = room.see(at: 0, [face(200)])
    let place = face(200 + moved, size: size)
    #expect(room.see(at: milliseconds, [place]) == (isPlayer ? place : nil))
  }

  @Test("After a loss the detector runs at once, then every third frame")
  func searchRate() {
    let room = Room()
    _ = room.see(at: 0, [face(200)])
    _ = room.see(at: 33, [])
    #expect(room.searches == 2)
    _ = room.see(from: 66, to: 999, [])
    #expect(room.searches == 2 + 9)
  }

  @Test("With nobody there the detector runs every third frame")
  func idleRate() {
    let room = Room()
    _ = room.see(from: 0, to: 1_000, [])
    #expect(room.searches == 11)
  }

  @Test("After a loss the nearest face is the player's, not the largest")
  func nearestFirst() {
    let room = Room()
    _ = room.see(at: 0, [face(200)])
    _ = room.see(at: 33, [])
    #expect(room.see(from: 66, to: 300, [face(290, size: 130), face(180, size: 90)]) == face(180, size: 90))
  }

  @Test("The longer the player is gone the further away the player is found again")
  func drifting() {
    let room = Room()
    _ = room.see(at: 0, [face(200)])
    #expect(room.see(from: 33, to: 990, []) == nil)
    #expect(room.see(from: 1_000, to: 1_700, [face(500)]) == nil)
    #expect(room.see(from: 1_800, to: 2_000, [face(500)]) == face(500))
  }

  @Test(
    "After a loss a face of another size is not the player's until the lock time has passed",
    arguments: [face(200, size: 160), face(200, size: 60)])
  func lockTime(stranger: FacePlace) {
    let room = Room()
    _ = room.see(at: 0, [face(200)])
    #expect(room.see(from: 33, to: 990, []) == nil)
    #expect(room.see(from: 1_000, to: 4_990, [stranger]) == nil)
    #expect(room.see(from: 5_000, to: 5_200, [stranger]) == stranger)
  }

  @Test("A bystander does not take over while the player steps out, even at the player's place, and the player returns")
  func bystander() {
    let room = Room()
    _ = room.see(at: 0, [face(250), face(450)])
    for (frame, x) in stride(from: Float(450), to: 250, by: -5).enumerated() {
      #expect(room.see(at: 33 * (frame + 1), [face(x)]) == nil)
    }
    #expect(room.see(from: 1_400, to: 2_400, [face(250)]) == nil)
    #expect(room.see(from: 2_433, to: 2_700, [face(260), face(360)]) == face(360))
  }

  @Test("The player who comes back near the old place within the lock time is the player again")
  func returning() {
    let room = Room()
    _ = room.see(at: 0, [face(200)])
    #expect(room.see(from: 33, to: 3_000, []) == nil)
    #expect(room.see(from: 3_033, to: 3_200, [face(280, size: 90)]) == face(280, size: 90))
  }

  @Test("Someone who walks by in front of the player is never the player", arguments: [5, 10, 20, 30] as [Float])
  func passerBy(pixelsPerFrame: Float) {
    let room = Room()
    var place = room.see(at: 0, [face(320)])
    for frame in 1...Int(800 / pixelsPerFrame) {
      let passer = face(-80 + pixelsPerFrame * Float(frame))
      let isHidden = abs(passer.centre.x - 320) < 75
      place = room.see(at: 33 * frame, isHidden ? [passer] : [passer, face(320)])
      #expect(place == nil || place == face(320))
    }
    #expect(room.see(from: 60_000, to: 60_200, [face(320)]) == face(320))
    #expect(place == face(320))
  }

  @Test("Time that runs backwards forgets the player")
  func backwards() {
    let room = Room()
    _ = room.see(at: 1_000, [face(200)])
    #expect(room.see(at: 0, [face(400)]) == face(400))
  }

  @Test("Another picture size forgets the player")
  func pictureSize() {
    var lock = PlayerLock()
    _ = lock.step(at: 0, pictureSize: SIMD2(640, 480))
    _ = lock.lock(face(200))
    let sameSize = lock.step(at: 1, pictureSize: SIMD2(640, 480))
    let otherSize = lock.step(at: 2, pictureSize: SIMD2(1280, 720))
    #expect(sameSize == .follow(face(200)))
    #expect(otherSize == .search)
  }
}
