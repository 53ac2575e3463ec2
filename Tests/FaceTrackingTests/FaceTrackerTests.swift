// The tracker with its networks on real faces.
import Capture
import FaceGeometry
import Foundation
import Frames
import Testing

@testable import FaceTracking

@Suite("Face tracker", .needsCases)
struct FaceTrackerTests {
  private func tracker() throws -> FaceTracker { try FaceTracker(modelsDirectory: Checkout.models) }

  /// What the tracker saw in a clip.
  private struct Track {
    /// The player's landmarks in each frame; `nil` where there were none.
    var landmarks: [FaceLandmarks?] = []
    var searches = 0

    /// The greatest step from one frame to the next, in face sizes.
    var greatestStep: Float {
      let places = landmarks.compactMap { $0.map { FacePlace($0) } }
      return zip(places, places.dropFirst()).map { $0.distance(to: $1) }.max() ?? 0
    }
  }

  private func track(_ clip: String) throws -> Track {
    var tracker = try tracker()
    let source = try Checkout.clip(clip)
    var track = Track()
    while let frame = try source.next() { track.landmarks.append(try tracker.track(frame).landmarks) }
    track.searches = tracker.searches
    return track
  }

  @Test("The portrait's 478 points are MediaPipe's to a thousandth of the distance between the eyes")
  func portrait() throws {
    struct Reference: Decodable { let points: [[Float]] }
    let data = try Data(contentsOf: Checkout.cases.appending(path: "portrait.landmarks.json"))
    let reference = try JSONDecoder().decode(Reference.self, from: data).points
    try #require(reference.count == 478)
    var tracker = try tracker()
    let frame = try #require(try Checkout.clip("portrait.png").next())
    let found = try #require(try tracker.track(frame).landmarks)
    let errors = zip(found.points, reference).map { point, truth in
      ((point.x - truth[0]) * (point.x - truth[0]) + (point.y - truth[1]) * (point.y - truth[1])).squareRoot()
    }
    let eyes = zip(reference[263], reference[33]).prefix(2).map { ($0 - $1) * ($0 - $1) }.reduce(0, +).squareRoot()
    #expect(errors.reduce(0, +) / 478 / eyes <= 0.001)
  }

  @Test(
    "One person is tracked from the first frame to the last, found once, and the lock never jumps to another",
    arguments: [
      ("real/man-smiling.gif", 62), ("real/two-people-tilt.gif", 56), ("real/three-people-walk-up.gif", 41),
    ])
  func realPeople(clip: String, frames: Int) throws {
    let track = try track(clip)
    #expect(track.landmarks.count == frames)
    #expect(track.landmarks.allSatisfy { $0 != nil })
    #expect(track.searches == 1)
    // A tenth of a face: whoever is nearest to the player in these clips is more than a whole face away.
    #expect(track.greatestStep < 0.1)
  }

  @Test(
    "Roll from the outer eye corners is right to half a degree on average",
    arguments: ["roll-stairs", "roll-dark"])
  func roll(clip: String) throws {
    struct Truth: Decodable { let roll: [Float] }
    let data = try Data(contentsOf: Checkout.cases.appending(path: "\(clip).truth.json"))
    let truth = try JSONDecoder().decode(Truth.self, from: data).roll
    let landmarks = try track("\(clip).mp4").landmarks
    try #require(landmarks.count == truth.count && landmarks.allSatisfy { $0 != nil })
    // The portrait's own tilt is the same in every frame: the median takes it out.
    let errors = zip(landmarks, truth).map { -FacePlace($0!).rotation * 180 / .pi - $1 }
    let offset = errors.sorted()[errors.count / 2]
    #expect(errors.map { abs($0 - offset) }.reduce(0, +) / Float(errors.count) <= 0.5)
  }

  @Test("A black picture has no face, and only every third one is searched at 30 a second")
  func black() throws {
    var tracker = try tracker()
    for index in 0..<60 {
      let frame = Frame(
        index: index, timestamp: Int64(index) * 33_333_333, format: .bgr24, width: 320, height: 240, bytesPerRow: 960
      ) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
      #expect(try tracker.track(frame).landmarks == nil)
    }
    #expect(tracker.searches == 20)
  }
}

/// Two people: the player in the middle, and a mirrored other.
@Suite("Two people in a scene", .needsCases)
struct SceneTests {
  private let player: Cutout
  private let other: Cutout
  private let small: Cutout

  init() throws {
    let portrait = try #require(try Checkout.clip("portrait.png").next())
    (player, other, small) = (
      Cutout(portrait, x: 130..<320, y: 20..<270),
      Cutout(portrait, x: 130..<320, y: 20..<270, isMirrored: true),
      Cutout(portrait, x: 130..<320, y: 20..<270, shrunkBy: 4)
    )
  }

  /// Where the tracked face's middle is in each frame of a scene.
  private func track(_ frames: Int, _ people: (Int) -> [(face: Cutout, x: Int, y: Int)]) throws -> [SIMD2<Float>?] {
    var tracker = try FaceTracker(modelsDirectory: Checkout.models)
    return try (0..<frames).map { index in
      try tracker.track(Scene.frame(index, people(index))).landmarks.map { FacePlace($0).centre }
    }
  }

  @Test("While the player is away a bystander does not take over, and the player is found again on return")
  func leavesAndReturns() throws {
    // Out through the right edge, away for two seconds, and back.
    func x(_ frame: Int) -> Int { frame < 30 ? 400 + frame * 12 : frame < 90 ? 900 : max(400, 760 - (frame - 90) * 12) }
    let track = try track(150) { frame in [(other, 120, 240), (player, frame == 0 ? 400 : x(frame), 240)] }
    #expect(track[0].map { $0.x > 300 } == true, "the more central one is the player")
    #expect(track.compactMap { $0 }.allSatisfy { $0.x > 300 }, "never the bystander")
    #expect(track[60..<90].allSatisfy { $0 == nil }, "nobody while the player is away")
    #expect(track.last! != nil, "found again")
  }

  @Test("Once the lock time is up, who is still there becomes the player")
  func takesOver() throws {
    let track = try track(200) { frame in
      [(other, 120, 240)] + (frame < 5 ? [(player, 400, 240)] : [])
    }
    #expect(track[4].map { $0.x > 300 } == true)
    #expect(track[10..<150].allSatisfy { $0 == nil })
    #expect(track.last!.map { $0.x < 300 } == true)
  }

  @Test(
    "Somebody who passes behind or in front of the player does not become the player, who is found again",
    arguments: [false, true], [4, 8, 16])
  func passes(inFront: Bool, speed: Int) throws {
    let track = try track(900 / speed) { frame in
      let people = [(other, -120 + frame * speed, 240), (player, 320, 240)]
      return inFront ? people.reversed() : people
    }
    let found = track.compactMap { $0 }
    // In front they hide the player while their middles are less than a cut-out's width (190 pixels) apart.
    #expect(found.count > track.count * (inFront ? 5 : 9) / 10)
    #expect(found.allSatisfy { abs($0.x - 320) < 60 })
    #expect(track.last! != nil)
  }

  @Test("A small face is never the player, neither beside the player nor after they left")
  func tooSmall() throws {
    let track = try track(200) { frame in
      [(small, 120, 240)] + (frame < 5 ? [(player, 400, 240)] : [])
    }
    #expect(track[..<5].allSatisfy { $0.map { $0.x > 300 } == true })
    #expect(track[5...].allSatisfy { $0 == nil })
  }

  @Test(
    "A face that fills 15 % of a wide picture's height is found in the first frame, wherever it is",
    arguments: 1...9)
  func farAway(tenth: Int) throws {
    var tracker = try FaceTracker(modelsDirectory: Checkout.models)
    let size = (width: 1280, height: 720)
    // The player's face is 107 pixels high: 15 % of 720.
    let frame = Scene.frame(0, [(player, size.width * tenth / 10, size.height / 2)], size: size)
    #expect(try tracker.track(frame).landmarks != nil)
  }
}

@Suite("Model files")
struct ModelFileTests {
  /// A copy of the models that a test may damage.
  private func copy() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "models-\(UUID())")
    try FileManager.default.copyItem(atPath: Checkout.models, toPath: folder.path())
    return folder
  }

  private func expectError(
    _ matches: (FaceTrackerError) -> Bool, after damage: (URL) throws -> Void
  ) throws {
    let folder = try copy()
    defer { try? FileManager.default.removeItem(at: folder) }
    try damage(folder)
    #expect { _ = try FaceTracker(modelsDirectory: folder.path()) } throws: { error in
      (error as? FaceTrackerError).map(matches) == true && "\(error)".contains("make models")
    }
  }

  private func isAltered(_ error: FaceTrackerError) -> Bool { if case .modelAltered = error { true } else { false } }
  private func isMissing(_ error: FaceTrackerError) -> Bool { if case .modelMissing = error { true } else { false } }

  @Test("A missing network or checksum list is named", arguments: ModelFiles.names + [ModelFiles.checksumFile])
  func missing(name: String) throws {
    try expectError(isMissing) { try FileManager.default.removeItem(at: $0.appending(path: name)) }
  }

  @Test("One flipped bit anywhere is noticed", arguments: ModelFiles.names)
  func flipped(name: String) throws {
    try expectError(isAltered) { folder in
      var bytes = try Data(contentsOf: folder.appending(path: name))
      bytes[bytes.count / 3] ^= 0x10
      try bytes.write(to: folder.appending(path: name))
    }
  }

  @Test("A file cut short or empty is noticed", arguments: ModelFiles.names, [0, 1000])
  func truncated(name: String, length: Int) throws {
    try expectError(isAltered) { folder in
      let url = folder.appending(path: name)
      try Data(contentsOf: url).prefix(length).write(to: url)
    }
  }

  @Test("A checksum list without a network's line is noticed")
  func incompleteList() throws {
    try expectError(isAltered) { folder in
      try Data("0123  x\n".utf8).write(to: folder.appending(path: ModelFiles.checksumFile))
    }
  }

  @Test("A folder in a file's place cannot be read", arguments: ModelFiles.names + [ModelFiles.checksumFile])
  func folder(name: String) throws {
    try expectError {
      if case .modelUnreadable = $0 { true } else { false }
    } after: { folder in
      try FileManager.default.removeItem(at: folder.appending(path: name))
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: false)
    }
  }

  @Test("Without the folder its checksum list is missing")
  func noFolder() throws {
    try expectError(isMissing) { try FileManager.default.removeItem(at: $0) }
  }

  @Test("The stream's header names the landmark network by its digest")
  func identifier() throws {
    let tracker = try FaceTracker(modelsDirectory: Checkout.models)
    let list = try String(contentsOfFile: Checkout.models + "/models.sha256", encoding: .utf8)
    let digest = try #require(tracker.modelIdentifier.split(separator: ":").last)
    #expect(list.contains("\(digest)  landmarks.onnx"))
  }
}
