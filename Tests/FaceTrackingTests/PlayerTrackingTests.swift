// One player among people: real footage, and scenes composed of portraits.

import FaceGeometry
import Fixtures
import Frames
import Testing

@testable import FaceTracking

@Suite(.needsCases) struct PlayerTrackingTests {
  @Test(
    "In real footage one person is followed from the first frame to the last",
    arguments: ["real/man-smiling.gif", "real/two-people-tilt.gif", "real/three-people-walk-up.gif"])
  func realFootage(name: String) throws {
    let clip = try Checkout.clip(name)
    let tracker = try Tracker()
    var (first, last): (FacePlace?, FacePlace?)
    while let frame = try clip.next() {
      let place = FacePlace(try #require(try tracker.track(frame).landmarks))
      first = first ?? place
      // Whoever it is at first: the next person is a quarter of the picture's width away.
      #expect(abs(place.centre.x - first!.centre.x) < 0.12 * Float(frame.width))
      if let last { #expect(last.distance(to: place) < 0.1) }
      last = place
    }
    #expect(tracker.searches == 1)
  }

  @Test("A larger face that appears beside the player does not take over")
  func noTakeover() throws {
    let scene = try Stage()
    let tracker = try Tracker()
    for index in 0..<30 {
      let others = index < 5 ? [] : [Scene.Person(cutout: scene.largeMan, centre: (500, 240))]
      let place = try tracker.place(in: Scene.frame(index, [scene.player(at: 200)] + others))
      #expect(abs(try #require(place).centre.x - 200) < 10)
    }
    #expect(tracker.searches == 1)
  }

  @Test(
    "Someone who walks by in front of the player is never the player, who is found again behind them",
    arguments: [5, 12, 30], [Passer.twin, .man, .largeMan])
  func passerBy(pixelsPerFrame: Int, passer: Passer) throws {
    let scene = try Stage()
    let tracker = try Tracker()
    var found = 0
    var last: FacePlace?
    let frames = Array(stride(from: -100, to: 800, by: pixelsPerFrame))
    for (index, x) in frames.enumerated() {
      let people = [scene.player(at: 320), Scene.Person(cutout: scene.cutout(passer), centre: (x, 240))]
      last = try tracker.place(in: Scene.frame(index, people))
      guard let last else { continue }
      found += 1
      #expect(abs(last.centre.x - 320) < 0.25 * last.size)
    }
    #expect(last != nil)
    #expect(found > frames.count / 2)
  }

  @Test("Somebody who walks by behind the player does not become the player", arguments: [4, 8, 16])
  func passingBehind(pixelsPerFrame: Int) throws {
    let scene = try Stage()
    let tracker = try Tracker()
    let frames = Array(stride(from: -100, to: 800, by: pixelsPerFrame))
    var found = 0
    for (index, x) in frames.enumerated() {
      let people = [Scene.Person(cutout: scene.twin, centre: (x, 240)), scene.player(at: 320)]
      guard let place = try tracker.place(in: Scene.frame(index, people)) else { continue }
      found += 1
      #expect(abs(place.centre.x - 320) < 0.25 * place.size)
    }
    #expect(found > frames.count * 9 / 10)
  }

  @Test("A player who walks by in front of somebody stays the player")
  func playerInFront() throws {
    let scene = try Stage()
    let tracker = try Tracker()
    for (index, x) in stride(from: 100, to: 540, by: 6).enumerated() {
      let people = [Scene.Person(cutout: scene.twin, centre: (320, 240)), scene.player(at: x, size: .large)]
      let place = try tracker.place(in: Scene.frame(index, people))
      #expect(abs(try #require(place).centre.x - Float(x)) < 15)
    }
    #expect(tracker.searches == 1)
  }

  @Test("While the player steps out a bystander does not take over, and the player who returns is found again")
  func steppingOut() throws {
    let scene = try Stage()
    let tracker = try Tracker()
    let bystander = Scene.Person(cutout: scene.man, centre: (480, 240))
    // In place for half a second, out to the left, three seconds away, and back.
    let path = Array(repeating: 200, count: 15) + stride(from: 200, to: -150, by: -10)
    let away = Array(repeating: -150, count: 90)
    var sawPlayerAgain = false
    for (index, x) in (path + away + path.reversed()).enumerated() {
      let place = try tracker.place(in: Scene.frame(index, [bystander, scene.player(at: x, size: .large)]))
      if let place { #expect(abs(place.centre.x - Float(x)) < 30) }
      sawPlayerAgain = place != nil && index > path.count + away.count
    }
    #expect(sawPlayerAgain)
  }

  @Test("Once the player has been gone for the lock time the bystander may play")
  func handingOver() throws {
    let scene = try Stage()
    let tracker = try Tracker()
    let bystander = Scene.Person(cutout: scene.man, centre: (420, 240))
    #expect(try tracker.place(in: Scene.frame(0, [scene.player(at: 200, size: .large), bystander])) != nil)
    for index in 1...149 { #expect(try tracker.place(in: Scene.frame(index, [bystander])) == nil) }
    let places = try (150...155).map { try tracker.place(in: Scene.frame($0, [bystander])) }
    #expect(abs(try #require(places.last ?? nil).centre.x - 420) < 20)
  }

  @Test("A face that the detector sees but that is under the smallest size is not the player")
  func smallFace() throws {
    let cutout = try Checkout.firstFrame("portrait.png").cutout(x: 130..<320, y: 20..<270, scale: 0.515)
    let frame = Scene.frame(0, [Scene.Person(cutout: cutout, centre: (280, 240))])
    let landmarker = try FaceLandmarker(files: try ModelFiles(directory: Checkout.models.path()))
    let squares = Square.covering(width: Scene.width, height: Scene.height)
    #expect(try squares.contains { try !landmarker.detect(in: frame, square: $0).isEmpty })
    let tracker = try Tracker()
    #expect(try tracker.track(frame).landmarks == nil)
    #expect(tracker.searches == 1)
  }

  @Test("With nobody there the detector runs on every third frame, and nothing is found")
  func nobody() throws {
    let tracker = try Tracker()
    for index in 0..<30 {
      let observation = try tracker.track(Scene.frame(index, []))
      #expect(observation.landmarks == nil)
      #expect(observation.confidence == 0)
    }
    #expect(tracker.searches == 10)
  }

  @Test("Observations carry their frame's number and time")
  func identity() throws {
    let tracker = try Tracker()
    let observation = try tracker.track(Scene.frame(7, []))
    #expect(observation.frameIndex == 7)
    #expect(observation.timestamp == 233_333_333)
  }

  @Test(
    "A picture of absurd shape has no face", arguments: [(1, 1), (16384, 1), (1, 16384), (2, 3)])
  func absurdPicture(width: Int, height: Int) throws {
    let tracker = try Tracker()
    #expect(try tracker.track(grey(width: width, height: height)).landmarks == nil)
  }

  @Test("A picture that is too large is refused, and the next one is tracked", arguments: [(16385, 1), (1, 16385)])
  func oversizedPicture(width: Int, height: Int) throws {
    let tracker = try Tracker()
    #expect(throws: FaceTrackerError.self) { try tracker.track(grey(width: width, height: height)) }
    #expect(try tracker.track(try Checkout.firstFrame("portrait.png")).landmarks != nil)
  }

  private func grey(width: Int, height: Int) -> Frame {
    Frame(index: 0, timestamp: 0, format: .bgr24, width: width, height: height, bytesPerRow: 3 * width) {
      $0.initializeMemory(as: UInt8.self, repeating: 150)
    }
  }
}

/// A tracker on the checkout's models that `#expect` may hold.
private final class Tracker {
  private var tracker: FaceTracker
  var searches: Int { tracker.searches }

  init() throws { tracker = try FaceTracker(modelsDirectory: Checkout.models.path()) }

  func track(_ frame: Frame) throws -> FaceObservation { try tracker.track(frame) }

  func place(in frame: Frame) throws -> FacePlace? { try track(frame).landmarks.map { FacePlace($0) } }
}

/// Who walks by.
enum Passer {
  /// The player's mirror image, of the same size.
  case twin
  /// Another person, a quarter larger.
  case man
  /// Another person, much nearer to the camera.
  case largeMan
}

/// The cut-outs that scenes are made of.
private struct Stage {
  enum Size { case usual, large }

  /// A face 110 pixels high.
  let portrait: Frame
  let largePortrait: Frame
  let twin: Frame
  let man: Frame
  let largeMan: Frame

  init() throws {
    let woman = try Checkout.firstFrame("portrait.png")
    let smiling = try Checkout.firstFrame("real/man-smiling.gif")
    portrait = woman.cutout(x: 130..<320, y: 20..<270)
    largePortrait = woman.cutout(x: 130..<320, y: 20..<270, scale: 1.5)
    twin = woman.cutout(x: 130..<320, y: 20..<270, isMirrored: true)
    man = smiling.cutout(x: 180..<310, y: 10..<160, scale: 1.5)
    largeMan = smiling.cutout(x: 180..<310, y: 10..<160, scale: 2)
  }

  func player(at x: Int, size: Size = .usual) -> Scene.Person {
    Scene.Person(cutout: size == .usual ? portrait : largePortrait, centre: (x, 240))
  }

  func cutout(_ passer: Passer) -> Frame {
    switch passer {
    case .twin: twin
    case .man: man
    case .largeMan: largeMan
    }
  }
}
