// Records, files and folders that the tests of this room share.
import Fixtures
import Foundation
import Gestures

@testable import GestureStream

enum Sample {
  /// The numbers of the schema's examples, not today's defaults.
  static let profile: Profile = {
    var profile = Profile()
    (profile.tilt.left.begin, profile.tilt.left.end) = (10, 7)
    (profile.tilt.right.begin, profile.tilt.right.end) = (10, 7)
    (profile.purse.begin, profile.purse.end) = (0.78, 0.44)
    return profile
  }()

  static let header = StreamHeader(
    clock: .media, source: StreamHeader.Source(kind: .clip, name: "demo.mp4", width: 640, height: 480, fps: 30),
    landmarkModel: "sha256:6bf4", profile: profile)

  static let frame = GestureState(
    frameIndex: 12, timestamp: 400_000_000,
    signals: GestureState.Signals(
      confidence: 0.99, roll: -3.1, yaw: 2, pitch: -1.2, purse: 0.08, jawOpen: 0.02, rawRoll: -2.9, rawPurse: 0.11),
    horizontal: 0)

  static let faceless = GestureState(frameIndex: 13, timestamp: 433_333_333, signals: nil, horizontal: 0)

  static func event(_ event: InputEvent) -> TimedEvent {
    TimedEvent(frameIndex: 12, timestamp: 400_000_000, event: event)
  }

  static let end = StreamEnd(frames: 840, dropped: 0, events: 31)

  /// One of every kind there is.
  static let events: [InputEvent] = [
    .tilt(.begin, .left), .tilt(.begin, .right), .tilt(.end, .left), .tilt(.end, .right),
    .purse(.begin, strength: 0.8), .purse(.begin, strength: nil), .purse(.end, strength: nil),
    .jump(count: 1), .jump(count: 2), .horizontal(-1), .horizontal(0.25), .face(.found), .face(.lost),
    .release(.faceLost), .release(.stalled), .release(.paused), .release(.unplugged), .release(.exit),
  ]
}

/// A folder of its own for one test, gone with it.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("faceplay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Hidden ones included.
  var names: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }
  }
}

/// What `write` puts into a file.
func written(_ write: (OutputFile) throws -> Void) throws -> [UInt8] {
  let folder = try TemporaryFolder()
  let output = try OutputFile(path: folder.file("output"))
  try write(output)
  try output.commit()
  return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("output"))))
}

extension InputFile {
  convenience init(_ text: String) {
    self.init(bytes: Array(text.utf8), name: "test")
  }
}

/// Traces with truth that are not part of the checkout.
enum Cases {
  static let traces: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: Checkout.cases.appending(path: "traces").path()))?
    .filter { $0.hasSuffix(".fplm") }.sorted() ?? []

  static func trace(_ name: String) -> String { Checkout.cases.appending(path: "traces/\(name)").path() }
}
