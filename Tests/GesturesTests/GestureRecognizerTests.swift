import FaceGeometry
// From landmarks to events: leases above all.
import Fixtures
import Testing

@testable import Gestures

@Suite("Gesture recogniser")
struct GestureRecognizerTests {
  /// A player in front of a 30 fps camera, with a neutral found over two seconds at rest.
  struct Player {
    var recognizer = GestureRecognizer(profile: Profile())
    var frame = 0
    var events: [TimedEvent] = []
    var states: [GestureState] = []
    var time: Int64 { Int64(frame) * 33_333_333 }

    init(rested: Bool = true) {
      if rested { show(SyntheticFace(), seconds: 2) }
      events = []
    }

    mutating func show(_ face: SyntheticFace?, seconds: Double) {
      for _ in 0..<Int((seconds * 30).rounded()) {
        let landmarks = face?.landmarks
        let observation = FaceObservation(
          frameIndex: frame, timestamp: time, confidence: 0.9, landmarks: landmarks)
        let (state, new) = recognizer.process(observation)
        states.append(state)
        events += new
        frame += 1
      }
    }

    mutating func wait(until time: Int64) { events += recognizer.advance(to: time) }

    func count(_ event: InputEvent) -> Int { events.count { $0.event == event } }
    func time(of event: InputEvent) -> Int64? { events.first { $0.event == event }?.timestamp }
    var purseCount: Int { events.count { if case .purse(.begin, _) = $0.event { true } else { false } } }
    var jumps: [Int] { events.compactMap { if case .jump(let count) = $0.event { count } else { nil } } }
  }

  static let tiltEnd = InputEvent.tilt(.end, .right)
  static let purseEnd = InputEvent.purse(.end, strength: nil)

  private func holdingEverything() -> Player {
    var player = Player()
    var face = SyntheticFace.pursed
    face.roll = 25
    player.show(face, seconds: 0.5)
    #expect(player.count(.tilt(.begin, .right)) == 1)
    #expect(player.purseCount == 1)
    return player
  }

  private func expectAllReleased(_ player: Player, lastGood: Int64, _ reason: ReleaseReason) {
    let released = [Self.tiltEnd, Self.purseEnd, .horizontal(0), .release(reason), .face(.lost)]
    for held in released {
      #expect(player.count(held) == 1)
      if let time = player.time(of: held) { #expect(time > lastGood && time - lastGood <= 200_000_000) }
    }
  }

  @Test("A face gone from the frames: everything held ends within 200 ms of the last good frame")
  func blackFrames() {
    var player = holdingEverything()
    let lastGood = player.time - 33_333_333
    player.show(nil, seconds: 0.5)
    expectAllReleased(player, lastGood: lastGood, .faceLost)
  }

  @Test("Frames that stop coming: everything held ends by the deadline")
  func stalled() throws {
    var player = holdingEverything()
    let lastGood = player.time - 33_333_333
    let deadline = try #require(player.recognizer.deadline)
    #expect(deadline - lastGood <= 200_000_000)
    player.wait(until: deadline - 1)
    #expect(player.count(Self.tiltEnd) == 0)
    player.wait(until: deadline)
    expectAllReleased(player, lastGood: lastGood, .stalled)
    #expect(player.recognizer.deadline == nil)
  }

  @Test("A late frame does not revive a lease that ran out before it")
  func lateFrame() {
    var player = holdingEverything()
    let lastGood = player.time - 33_333_333
    player.frame += 30
    player.show(SyntheticFace(), seconds: 0.1)
    expectAllReleased(player, lastGood: lastGood, .stalled)
    #expect(player.count(.face(.found)) == 1)
  }

  @Test("A single frame without the face ends nothing")
  func dropout() {
    var player = holdingEverything()
    player.events = []
    player.show(nil, seconds: 1 / 30)
    var face = SyntheticFace.pursed
    face.roll = 25
    player.show(face, seconds: 0.2)
    #expect(player.events.isEmpty)
  }

  @Test("Pausing and leaving let everything go at once", arguments: [ReleaseReason.paused, .exit, .unplugged])
  func releaseAll(reason: ReleaseReason) {
    var player = holdingEverything()
    let lastGood = player.time - 33_333_333
    player.events += player.recognizer.releaseAll(reason, at: player.time)
    expectAllReleased(player, lastGood: lastGood, reason)
    #expect(player.recognizer.releaseAll(reason, at: player.time).isEmpty)
  }

  @Test("With nothing held, losing the face releases nothing")
  func nothingHeld() {
    var player = Player()
    player.show(nil, seconds: 0.5)
    #expect(player.events.map(\.event) == [.face(.lost)])
  }

  @Test("A purse held through a loss of the face makes no second jump")
  func purseThroughLoss() {
    var player = holdingEverything()
    player.show(nil, seconds: 0.5)
    player.show(.pursed, seconds: 0.5)
    #expect(player.jumps.count == 1)
    player.show(SyntheticFace(), seconds: 0.5)
    player.show(.pursed, seconds: 0.3)
    #expect(player.count(.jump(count: 1)) == 2)
  }

  @Test("A purse waiting for landing does not jump once the face is gone")
  func bufferedThroughLoss() throws {
    var player = Player()
    for _ in 0..<3 {
      player.show(.pursed, seconds: 0.1)
      player.show(SyntheticFace(), seconds: 0.1)
    }
    player.show(.pursed, seconds: 0.1)
    player.show(nil, seconds: 0.5)
    #expect(player.jumps.count == 2)
  }

  @Test("Purse, release, purse: jump 1, jump 2; a third none until landing")
  func jumps() {
    var player = Player()
    for _ in 0..<3 {
      player.show(.pursed, seconds: 0.12)
      player.show(SyntheticFace(), seconds: 0.12)
    }
    player.show(SyntheticFace(), seconds: 0.5)
    player.show(.pursed, seconds: 0.2)
    #expect(player.jumps == [1, 2, 1])
  }

  @Test("A held purse is one purse and one jump")
  func held() {
    var player = Player()
    player.show(.pursed, seconds: 4)
    #expect(player.jumps.count == 1)
    #expect(player.purseCount == 1)
  }

  @Test("A clip that begins in a tilt shows it at once")
  func startsTilted() {
    var player = Player(rested: false)
    player.show(.tilted(20), seconds: 0.1)
    #expect(player.count(.tilt(.begin, .right)) == 1)
  }

  @Test("A head that never comes upright is posture in the end: steering stops by itself")
  func posture() {
    var player = Player(rested: false)
    player.show(.tilted(16), seconds: 40)
    #expect(player.count(Self.tiltEnd) == 1)
    #expect(player.states.last?.horizontal == 0)
  }

  @Test("Steering is told when it changes by a hundredth, and always at its ends")
  func steering() {
    var player = Player()
    for step in 0...60 { player.show(.tilted(Double(step) / 2), seconds: 1 / 30) }
    player.show(.tilted(30), seconds: 1)
    let values = player.events.compactMap { if case .horizontal(let value) = $0.event { value } else { nil } }
    #expect(values.last == 1)
    #expect(zip(values, values.dropFirst()).dropLast().allSatisfy { $1 - $0 >= 0.01 })
  }

  @Test("Left and right are the player's", arguments: [(-20.0, Direction.left), (20, .right)])
  func sides(roll: Double, direction: Direction) throws {
    var player = Player()
    player.show(.tilted(roll), seconds: 0.3)
    #expect(player.count(.tilt(.begin, direction)) == 1)
    #expect(try #require(player.states.last).horizontal * direction.sign > 0.5)
  }

  @Test("Without a face a frame's state has no signals")
  func faceless() {
    var player = Player()
    player.show(nil, seconds: 1 / 30)
    #expect(player.states.last?.signals == nil)
  }

  @Test("Degenerate points are no face")
  func degenerate() {
    var recognizer = GestureRecognizer(profile: Profile())
    let points = FaceLandmarks(Array(repeating: SIMD3(1, 1, 1), count: 478))
    let (state, events) = recognizer.process(
      FaceObservation(frameIndex: 0, timestamp: 0, confidence: 1, landmarks: points))
    #expect(state.signals == nil && events.isEmpty)
  }

  @Test("Times that go back are taken at the last time seen, and events never go back")
  func backwards() {
    var player = holdingEverything()
    let (state, events) = player.recognizer.process(
      FaceObservation(frameIndex: 999, timestamp: 5, confidence: 1, landmarks: SyntheticFace().landmarks))
    #expect(state.timestamp == player.time - 33_333_333)
    #expect(events.allSatisfy { $0.timestamp == state.timestamp })
  }

  private func sensitivity(_ tilt: Double, _ purse: Double) -> Profile {
    Profile(sensitivity: Sensitivity(tilt: tilt, purse: purse))
  }

  @Test("A change of sensitivity ends nothing that is still held by it, and no lease")
  func changeKeeps() {
    var player = holdingEverything()
    let deadline = player.recognizer.deadline
    player.events = []
    player.recognizer.take(sensitivity(60, 60))
    #expect(player.recognizer.deadline == deadline)
    var face = SyntheticFace.pursed
    face.roll = 25
    player.show(face, seconds: 0.5)
    #expect(player.events.allSatisfy { if case .horizontal = $0.event { true } else { false } })
  }

  @Test("A change that what is held no longer passes ends it with the next frame, each end told once")
  func changeEnds() {
    var player = Player()
    player.show(.tilted(12), seconds: 0.5)
    #expect(player.count(.tilt(.begin, .right)) == 1)
    player.recognizer.take(sensitivity(0, 50))
    player.show(.tilted(12), seconds: 0.5)
    #expect(player.count(Self.tiltEnd) == 1 && player.states.last?.horizontal == 0)
    player.recognizer.take(sensitivity(50, 50))
    player.show(.tilted(12), seconds: 0.5)
    #expect(player.count(.tilt(.begin, .right)) == 2)
  }

  @Test("Recentring takes the posture of now: the tilt ends and the other way is as far as before")
  func recentre() {
    var player = Player()
    player.show(.tilted(15), seconds: 0.5)
    _ = player.recognizer.recentre()
    player.show(.tilted(15), seconds: 0.5)
    #expect(player.count(Self.tiltEnd) == 1 && player.states.last?.horizontal == 0)
    player.show(.tilted(3), seconds: 0.5)
    #expect(player.count(.tilt(.begin, .left)) == 1)
  }

  @Test("Without a face there is nothing to recentre on")
  func recentreFaceless() {
    var player = Player()
    player.show(nil, seconds: 0.5)
    let didRecentre = player.recognizer.recentre()
    #expect(!didRecentre)
  }

  @Test("Recentring moves a calibrated profile's neutral, and leaves a profile without one")
  func recentreProfile() throws {
    var player = Player()
    player.show(.tilted(15), seconds: 0.5)
    _ = player.recognizer.recentre()
    #expect(player.recognizer.profile.neutral == nil)
    player.recognizer = GestureRecognizer(profile: Profile(neutral: .prior))
    player.show(.tilted(15), seconds: 0.5)
    _ = player.recognizer.recentre()
    let neutral = try #require(player.recognizer.profile.neutral)
    #expect(abs(neutral.roll - 15) < 0.1 && neutral.widthOverNose == Neutral.prior.widthOverNose)
  }

  @Test("At 10 frames a second held input lasts")
  func tenFrames() {
    var recognizer = GestureRecognizer(profile: Profile())
    var events: [TimedEvent] = []
    for frame in 0..<40 {
      let face = frame < 20 ? SyntheticFace() : .tilted(20)
      events +=
        recognizer.process(
          FaceObservation(
            frameIndex: frame, timestamp: Int64(frame) * 100_000_000, confidence: 1, landmarks: face.landmarks)
        ).1
    }
    #expect(events.count { if case .tilt = $0.event { true } else { false } } == 1)
  }
}
