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

  /// Where the player's face was in each frame; `nil` where it was not found.
  private func places(in clip: String) throws -> [FacePlace?] {
    var tracker = try tracker()
    let source = try Checkout.clip(clip)
    var places: [FacePlace?] = []
    while let frame = try source.next() { places.append(try tracker.track(frame).landmarks.map { FacePlace($0) }) }
    return places
  }

  /// The greatest step from one frame to the next, in face sizes, over frames in which the face was found.
  private func greatestStep(_ places: [FacePlace?]) -> Float {
    zip(places, places.dropFirst()).compactMap { a, b in
      if let a, let b { a.distance(to: b) } else { nil }
    }.max() ?? 0
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

  @Test("The smiling man is tracked throughout, with one run of the detector")
  func smiling() throws {
    let places = try places(in: "real/man-smiling.gif")
    #expect(places.count > 30 && places.allSatisfy { $0 != nil })
  }

  @Test("Of two people who tilt together the same one is tracked throughout")
  func twoPeople() throws {
    let places = try places(in: "real/two-people-tilt.gif")
    #expect(places.allSatisfy { $0 != nil })
    #expect(greatestStep(places) < 0.5)
  }

  @Test("Among three people who walk up the lock never jumps to another")
  func walkingUp() throws {
    let places = try places(in: "real/three-people-walk-up.gif")
    #expect(places.last! != nil)
    #expect(greatestStep(places) < 0.5)
  }

  @Test("A black picture has no face, and the detector runs at a limited rate")
  func black() throws {
    var tracker = try tracker()
    for index in 0..<60 {
      let frame = Frame(
        index: index, timestamp: Int64(index) * 33_333_333, format: .bgr24, width: 320, height: 240, bytesPerRow: 960
      ) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
      #expect(try tracker.track(frame).landmarks == nil)
    }
    #expect((10...21).contains(tracker.detectorRuns))
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

  @Test("Somebody who passes behind the player does not become the player", arguments: [4, 8, 16])
  func passesBehind(speed: Int) throws {
    let track = try track(900 / speed) { frame in [(other, -120 + frame * speed, 240), (player, 320, 240)] }
    let found = track.compactMap { $0 }
    #expect(found.count > track.count * 9 / 10)
    #expect(found.allSatisfy { abs($0.x - 320) < 60 })
  }

  @Test("A small face is never the player")
  func tooSmall() throws {
    let track = try track(30) { _ in [(small, 320, 240)] }
    #expect(track.allSatisfy { $0 == nil })
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

  @Test("A file cut short or empty is noticed", arguments: [0, 1000])
  func truncated(length: Int) throws {
    try expectError(isAltered) { folder in
      let url = folder.appending(path: "landmarks.onnx")
      try Data(contentsOf: url).prefix(length).write(to: url)
    }
  }

  @Test("A checksum list without a network's line is noticed")
  func incompleteList() throws {
    try expectError(isAltered) { folder in
      try Data("0123  x\n".utf8).write(to: folder.appending(path: ModelFiles.checksumFile))
    }
  }

  @Test("A folder in a network's place cannot be read")
  func folder() throws {
    try expectError {
      if case .modelUnreadable = $0 { true } else { false }
    } after: { folder in
      try FileManager.default.removeItem(at: folder.appending(path: "detector.onnx"))
      try FileManager.default.createDirectory(
        at: folder.appending(path: "detector.onnx"), withIntermediateDirectories: false)
    }
  }

  @Test("The stream's header names the landmark network by its digest")
  func identifier() throws {
    let tracker = try FaceTracker(modelsDirectory: Checkout.models)
    let list = try String(contentsOfFile: Checkout.models + "/models.sha256", encoding: .utf8)
    let digest = try #require(tracker.modelIdentifier.split(separator: ":").last)
    #expect(list.contains("\(digest)  landmarks.onnx"))
  }
}
