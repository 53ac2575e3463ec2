// The player lock without pictures: places in, decisions out.
import Testing

@testable import FaceTracking

@Suite("Player lock")
struct PlayerLockTests {
  private let picture = SIMD2<Float>(640, 480)

  private func face(_ x: Float, _ y: Float = 240, size: Float = 120) -> FacePlace {
    let half = SIMD2(repeating: size / 2)
    let centre = SIMD2(x, y)
    return FacePlace(
      topLeft: centre - half, bottomRight: centre + half, leftEye: centre, rightEye: centre + SIMD2(1, 0))
  }

  private func time(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }

  /// Locked on a face in the middle at time 0.
  private func locked() -> PlayerLock {
    var lock = PlayerLock()
    #expect(lock.step(at: 0, pictureSize: picture) == .searchEverywhere)
    let place = lock.candidates(among: [face(320)])[0]
    let isLocked = lock.lock(place)
    #expect(isLocked)
    return lock
  }

  /// The same, and lost at the next frame.
  private func lost() -> PlayerLock {
    var lock = locked()
    #expect(lock.step(at: time(1 / 30), pictureSize: picture) == .follow(face(320)))
    let isFound = lock.follow(nil)
    #expect(!isFound)
    return lock
  }

  @Test("The largest and most central face is the first choice")
  func prominence() {
    var lock = PlayerLock()
    _ = lock.step(at: 0, pictureSize: picture)
    let faces = [face(60, size: 100), face(330, size: 100), face(320, size: 60)]
    #expect(lock.candidates(among: faces).first == face(330, size: 100))
  }

  @Test("A face under a tenth of the picture's height is nobody's")
  func small() {
    var lock = PlayerLock()
    _ = lock.step(at: 0, pictureSize: picture)
    #expect(lock.candidates(among: [face(320, size: 40)]).isEmpty)
    let isLocked = lock.lock(face(320, size: 40))
    #expect(!isLocked)
  }

  @Test("A tracked face is followed and nobody else is looked for")
  func follows() {
    var lock = locked()
    for frame in 1...30 {
      let last = face(320 + Float(frame - 1) * 4)
      #expect(lock.step(at: time(Double(frame) / 30), pictureSize: picture) == .follow(last))
      let isFound = lock.follow(face(320 + Float(frame) * 4))
      #expect(isFound)
    }
  }

  @Test("Landmarks that leap onto another face are a loss", arguments: [(Float(180), Float(120)), (0, 190)])
  func leap(offset: Float, size: Float) {
    var lock = locked()
    _ = lock.step(at: time(1 / 30), pictureSize: picture)
    let isFound = lock.follow(face(320 + offset, size: size))
    #expect(!isFound)
  }

  @Test("In the frame of a loss the player's surroundings are searched at once, after that in every third frame")
  func searchRate() {
    var lock = lost()
    for frame in 1...31 {
      let isSearched = frame % 3 == 1
      #expect(
        lock.step(at: time(Double(frame) / 30), pictureSize: picture) == (isSearched ? .searchNear(face(320)) : .wait))
    }
  }

  @Test("With nobody there the whole picture is searched in every third frame")
  func idleRate() {
    var lock = PlayerLock()
    for frame in 0...30 {
      let isSearched = frame % 3 == 0
      #expect(
        lock.step(at: time(Double(frame) / 30), pictureSize: picture) == (isSearched ? .searchEverywhere : .wait))
      #expect(lock.candidates(among: []).isEmpty)
    }
  }

  @Test("After a loss the nearest face in reach is the player, not the largest")
  func reacquires() {
    var lock = lost()
    _ = lock.step(at: time(0.5), pictureSize: picture)
    let faces = [face(400, size: 150), face(330, size: 110), face(30, size: 120)]
    #expect(lock.candidates(among: faces) == [face(330, size: 110), face(400, size: 150)])
  }

  @Test("A bystander out of reach does not take over, until the lock time is up")
  func bystander() {
    var lock = lost()
    let bystander = face(80)
    for tenth in 1...49 {
      _ = lock.step(at: time(Double(tenth) / 10), pictureSize: picture)
      #expect(lock.candidates(among: [bystander]).isEmpty)
    }
    #expect(lock.step(at: time(5.2), pictureSize: picture) == .searchEverywhere)
    #expect(lock.candidates(among: [bystander]) == [bystander])
  }

  /// The player is lost while somebody is at 200, who walks to the right through the player's place: the candidates as
  /// tenths of a second pass.
  @Test("Somebody who walks through the lost player's place is not the player, who may be found again beside them")
  func passesInFront() {
    var lock = lost()
    func candidates(_ tenths: Double, _ faces: [FacePlace]) -> [FacePlace] {
      _ = lock.step(at: time(1 / 30 + tenths / 10), pictureSize: picture)
      return lock.candidates(among: faces)
    }
    // 3.3 face sizes a second.
    for tenth in 0...2 { #expect(candidates(Double(tenth), [face(200 + Float(tenth) * 40)]) == []) }
    #expect(candidates(3, [face(320)]) == [])
    let isLocked = lock.lock(face(325))
    #expect(!isLocked, "nor are their landmarks the player's")
    for tenth in 4...5 { #expect(candidates(Double(tenth), [face(200 + Float(tenth) * 40)]) == []) }
    #expect(candidates(6, [face(440), face(322)]) == [face(322)])
    let isFound = lock.lock(face(321))
    #expect(isFound)
  }

  @Test("Who goes out of sight is forgotten: the next face at the player's place is the player's")
  func othersLeave() {
    var lock = lost()
    for (seconds, faces) in [(0.04, [face(200)]), (0.2, [])] {
      _ = lock.step(at: time(seconds), pictureSize: picture)
      #expect(lock.candidates(among: faces).isEmpty)
    }
    _ = lock.step(at: time(0.3), pictureSize: picture)
    #expect(lock.candidates(among: [face(320)]) == [face(320)])
  }

  @Test("Time that runs backwards or another picture size forgets the player")
  func forgets() {
    var again = locked()
    #expect(again.step(at: -5, pictureSize: picture) == .searchEverywhere)
    var resized = locked()
    #expect(resized.step(at: time(1), pictureSize: SIMD2(1280, 720)) == .searchEverywhere)
  }
}
