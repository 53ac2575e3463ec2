// The whole service as a page meets it: a synthetic camera before it, its files in a folder of their own.
import Calibration
import Fixtures
import Foundation
import Gestures
import Synchronization
import Testing
import WebService

@testable import FacePlayService

final class RunningService: Sendable {
  let camera: SyntheticCamera
  let folder: URL
  let log = Log()
  private let server: PageServer
  private let service: PlayService
  private let thread: Mutex<WorkerThread?>

  final class Log: Sendable {
    let lines = Mutex<[String]>([])
  }

  /// `player` is what the player's file holds before the start; `runs` is the file in the folder where runs are kept.
  init(
    _ profile: Profile = Profile(), face: SyntheticFace? = SyntheticFace(), player: String? = nil, runs: String? = nil,
    in folder: URL = FileManager.default.temporaryDirectory.appending(path: "faceplay-service-\(UUID())")
  ) throws {
    self.folder = folder
    camera = SyntheticCamera(face: face)
    let players = folder.appending(path: "players")
    try FileManager.default.createDirectory(at: players, withIntermediateDirectories: true)
    if let player { try Data(player.utf8).write(to: players.appending(path: "mine.json")) }
    server = try PageServer(port: 0, folder: Checkout.root.appending(path: "page").path(percentEncoded: false))
    service = try PlayService(
      feed: camera, profile: profile,
      store: ProfileStore(folder: folder.appending(path: "profiles").path(percentEncoded: false)), data: DataFiles(),
      server: server, runs: runs.map { folder.appending(path: $0).path(percentEncoded: false) },
      log: { [log] line in log.lines.withLock { $0.append(line) } })
    let thread = WorkerThread("service") { [service] in
      do { try service.run() } catch { Issue.record(error) }
    }
    self.thread = Mutex(thread)
  }

  /// Must be called at the end of each test.
  func stop() {
    end()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Ends the service and leaves its files.
  func end() {
    service.stop()
    thread.withLock { $0.take() }?.join()
  }

  private var root: String { String(server.url.split(separator: "/").last!) }

  /// A page that has been greeted.
  func page() throws -> ServedPage {
    let client = try Client(port: server.port)
    try #require(client.upgrade("/\(root)/ws") == 101)
    let page = ServedPage(client)
    try #require(page.next("hello") != nil)
    return page
  }

  /// The body of an answer.
  func get(_ path: String) throws -> String {
    let client = try Client(port: server.port)
    client.write("GET /\(root)/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n".utf8)
    _ = client.readHead()
    return String(decoding: client.readToEnd(), as: UTF8.self)
  }

  /// A metric's value now.
  func metric(_ name: String) throws -> Double? {
    try get("metrics").split(separator: "\n").first { $0.hasPrefix("faceplay_\(name) ") }
      .flatMap { Double($0.split(separator: " ")[1]) }
  }

  /// What is remembered of a player.
  func player(_ name: String) throws -> PlayerFile.Player {
    try PlayerFile(profile: name, profiles: file("profiles").path()).load { Issue.record("\($0)") }
  }

  func file(_ path: String) -> URL { folder.appending(path: path) }
}

/// What most tests begin with: a service, and a page that has been greeted.
class ServedTests {
  let service: RunningService
  let page: ServedPage

  init(face: SyntheticFace? = SyntheticFace()) throws {
    service = try RunningService(face: face)
    page = try service.page()
  }

  deinit { service.stop() }
}

/// A page's end of the connection, reading what it is told as JSON.
final class ServedPage {
  typealias Message = [String: Any]

  let client: Client

  init(_ client: Client) { self.client = client }

  func send(_ text: String) { client.send(text) }

  /// The next text message of a type that fits; what came before it is passed over. `nil` when the connection ends or
  /// nothing of the kind comes among more messages than 20 s have.
  func next(_ type: String, where fits: (Message) -> Bool = { _ in true }) -> Message? {
    for _ in 0..<1800 {
      guard let frame = client.message() else { return nil }
      guard frame.opcode == Client.Opcode.text,
        let message = try? JSONSerialization.jsonObject(with: Data(frame.payload)) as? Message,
        message["type"] as? String == type, fits(message)
      else { continue }
      return message
    }
    return nil
  }

  /// The content of the next message of a type, under the type's own name.
  func content(_ type: String, where fits: (Message) -> Bool = { _ in true }) -> Message? {
    next(type) { ($0[type] as? Message).map(fits) ?? false }?[type] as? Message
  }

  /// Waits until the player has been seen for a while; false when the service ends before.
  func seesFace() -> Bool { (0..<3).allSatisfy { _ in next("frame") { $0["face"] as? Bool == true } != nil } }

  /// The types of the text messages that come with so many frames.
  func types(during frames: Int) -> [String] {
    var types: [String] = []
    while types.count(where: { $0 == "frame" }) < frames, let frame = client.message() {
      let message = try? JSONSerialization.jsonObject(with: Data(frame.payload)) as? Message
      types.append(message?.text("type") ?? "")
    }
    return types
  }

  /// Goes as a browser's page does, and waits until the service has let it go.
  func leave() {
    client.send(Client.Opcode.close, [])
    _ = client.readToEnd()
  }

  /// The first world that fits.
  func world(where fits: (Message) -> Bool = { _ in true }) -> Message? { content("world", where: fits) }

  func world(in phase: String) -> Message? { world { $0["phase"] as? String == phase } }
}

extension [String: Any] {
  /// A number or text on the way `a.b`, list members by their number.
  subscript(path path: String) -> Any? {
    path.split(separator: ".").reduce(self as Any?) { value, key in
      if let list = value as? [Any], let index = Int(key), index < list.count { return list[index] }
      return (value as? [String: Any])?[String(key)]
    }
  }

  func number(_ path: String) -> Double? { self[path: path] as? Double }
  func text(_ path: String) -> String? { self[path: path] as? String }
}
