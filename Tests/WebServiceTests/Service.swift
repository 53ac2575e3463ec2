// A page server on a free port, with a page to serve and what it told.
import Fixtures
import Foundation
import Testing

@testable import WebService

final class Service: Sendable {
  let server: PageServer
  let events = Told<PageEvent>()
  let log = Told<String>()
  private let folder = FileManager.default.temporaryDirectory.appending(path: "faceplay-page-\(UUID())")

  init(
    _ limits: WebLimits = WebLimits(), port: UInt16 = 0, key: AccessKey = AccessKey(), trouble: String? = nil
  ) throws {
    try FileManager.default.createDirectory(at: folder.appending(path: "sounds"), withIntermediateDirectories: true)
    for (name, content) in Self.files { try Data(content).write(to: folder.appending(path: name)) }
    server = try PageServer(
      address: "127.0.0.1", port: port, key: key, folder: folder.path(percentEncoded: false), limits: limits)
    try server.start(
      PageServer.Handlers(
        event: { [events] in events.tell($0) }, report: { ServiceReport(trouble: trouble) },
        log: { [log] in log.tell($0) }))
  }

  /// Bytes by name; `hidden` and `secret.conf` are not to be served.
  static let files: [String: [UInt8]] = [
    "index.html": Array("<!doctype html><title>page</title>".utf8),
    "main.js": [UInt8](repeating: 0x20, count: 700_000),
    "sounds/jump.ogg": Array("sound".utf8),
    ".hidden.html": Array("hidden".utf8),
    "secret.conf": Array("secret".utf8),
  ]

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Must be called at the end of each test.
  func stop() { server.stop() }

  func path(_ name: String) -> String { "/\(server.token)/\(name)" }

  func client(receiveBuffer: Int32? = nil) throws -> Client {
    try Client(port: server.port, receiveBuffer: receiveBuffer)
  }

  /// A page that is connected and has read its greeting.
  func page(receiveBuffer: Int32? = nil) throws -> Client {
    let client = try client(receiveBuffer: receiveBuffer)
    try #require(client.upgrade(path("ws")) == 101)
    try #require(client.message(holding: "hello") != nil)
    return client
  }

  /// A whole answer to a GET.
  func get(_ path: String, host: String? = nil, origin: String? = nil, method: String = "GET") throws -> (
    head: String, status: Int, body: [UInt8]
  ) {
    let client = try client()
    let origin = origin.map { "Origin: \($0)\r\n" } ?? ""
    client.write("\(method) \(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(server.port)")\r\n\(origin)\r\n".utf8)
    let head = client.readHead()
    return (head, Client.status(head), client.readToEnd())
  }
}

/// What was told, in order, to be waited for.
final class Told<Value: Equatable & Sendable>: @unchecked Sendable {
  // Touched only with `condition` locked.
  private var values: [Value] = []
  private let condition = NSCondition()

  func tell(_ value: Value) {
    condition.withLock {
      values.append(value)
      condition.broadcast()
    }
  }

  var all: [Value] { condition.withLock { values } }

  /// Whether a value that fits is or comes within 20 s.
  func comes(_ fits: (Value) -> Bool) -> Bool {
    let limit = Date(timeIntervalSinceNow: 20)
    return condition.withLock {
      while !values.contains(where: fits) {
        guard condition.wait(until: limit) else { return false }
      }
      return true
    }
  }

  func comes(_ value: Value) -> Bool { comes { $0 == value } }
}
