// Each limit, broken by a client of a real server.
import Foundation
import Testing

@testable import WebService

@Suite("Limits", .serialized)
struct LimitTests {
  /// What goes wrong, how the page is closed, and what the log says once.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let status: Int
    let refusal: Refusal
    let misbehave: @Sendable (Client) -> Void

    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "bad UTF-8", status: 1007, refusal: .notUTF8) { $0.send(1, [0x7b, 0xff, 0xfe]) },
    Case(name: "UTF-8 that ends within a character", status: 1007, refusal: .notUTF8) { $0.send(1, [0xe2, 0x82]) },
    Case(name: "binary data", status: 1003, refusal: .binary) { $0.send(2, [1, 2, 3]) },
    Case(name: "a large message", status: 1009, refusal: .tooLarge) { $0.send(1, .init(repeating: 32, count: 5000)) },
    Case(name: "a huge frame", status: 1009, refusal: .tooLarge) {
      $0.send(1, .init(repeating: 32, count: 9000), claimed: 1 << 40)
    },
    Case(name: "a message without end", status: 1009, refusal: .tooLarge) { client in
      client.send(1, .init(repeating: 32, count: 2000), isFinal: false)
      for _ in 0..<3 { client.send(0, .init(repeating: 32, count: 2000), isFinal: false) }
    },
    Case(name: "a flood of messages", status: 1008, refusal: .flood) { client in
      for _ in 0..<2000 where !client.send(#"{"type":"video","on":false}"#) { return }
    },
    Case(name: "a flood of empty pieces", status: 1008, refusal: .flood) { client in
      client.send(1, [], isFinal: false)
      for _ in 0..<2000 where !client.send(0, [], isFinal: false) { return }
    },
    Case(name: "a flood of bytes", status: 1008, refusal: .flood) { client in
      for _ in 0..<110 where !client.send(1, .init(repeating: 32, count: 4000)) { return }
    },
  ]

  @Test("A page that breaks a limit is closed with the right status and one log line", arguments: cases)
  func breach(_ breach: Case) throws {
    let service = try Service()
    defer { service.stop() }
    let page = try service.page()
    breach.misbehave(page)
    #expect(page.closeStatus() == breach.status)
    #expect(service.events.comes { if case .closed = $0 { true } else { false } })
    #expect(service.log.all == [breach.refusal.explanation])
  }

  @Test("Frames that break the WebSocket protocol end the connection", arguments: [3, 0x0b, 0] as [UInt8])
  func protocolError(opcode: UInt8) throws {
    let service = try Service()
    defer { service.stop() }
    let page = try service.page()
    page.send(opcode, [1])
    #expect(page.closeStatus() == 1002)
  }

  @Test("A message that is no JSON of ours is answered with an error, and the page stays")
  func invalid() throws {
    let service = try Service()
    defer { service.stop() }
    let page = try service.page()
    for text in ["", "{", "[]", "null", #"{"type":"dance"}"#, #"{"type":"steer","value":7}"#] {
      page.send(text)
      #expect(page.message()?.text.contains(#""code":"invalidMessage""#) == true)
    }
    page.send(#"{"type":"jump"}"#)
    #expect(service.events.comes { if case .message(.jump, _) = $0 { true } else { false } })
  }

  @Test("Of 200 pages 32 get in, the rest are answered with 503, and one that leaves makes room")
  func pages() throws {
    let service = try Service()
    defer { service.stop() }
    var clients = try (0..<200).map { _ in
      let client = try service.client()
      return (client, client.upgrade(service.path("ws")))
    }
    #expect(clients.count { $0.1 == 101 } == 32)
    #expect(clients.count { $0.1 == 503 } == 168)
    clients.removeAll()
    #expect(service.events.comes(.control(nil)))
    #expect(try service.client().upgrade(service.path("ws")) == 101)
  }

  @Test("Connections that say nothing are limited in number, and give way after a while")
  func silentSockets() throws {
    var limits = WebLimits()
    limits.sockets = 20
    limits.requestSeconds = 1
    let service = try Service(limits)
    defer { service.stop() }
    let silent = try (0..<20).map { _ in try service.client() }
    let answer = String(decoding: try service.client().readToEnd(), as: UTF8.self)
    #expect(Client.status(answer) == 503)
    #expect(service.log.all == [Refusal.tooManyConnections.explanation])
    for client in silent { #expect(client.readToEnd().isEmpty) }
    #expect(try service.get(service.path("")).status == 200)
  }

  @Test("A request that dribbles in is hung up on")
  func slowHeaders() throws {
    var limits = WebLimits()
    limits.requestSeconds = 1
    let service = try Service(limits)
    defer { service.stop() }
    let client = try service.client()
    client.write("GET / HTTP/1.1\r\n".utf8)
    // A byte each 100 ms, for ten times as long as is allowed.
    let isOver = (0..<100).contains { _ in !client.write("X".utf8) || client.hears(within: 100) }
    #expect(isOver)
    #expect(client.readToEnd().isEmpty)
  }

  @Test("Too long a head is refused")
  func longHead() throws {
    let service = try Service()
    defer { service.stop() }
    #expect(try service.get("/" + String(repeating: "a", count: 20_000)).status != 200)
    #expect(try service.get(service.path(""), origin: String(repeating: "a", count: 20_000)).status != 200)
  }

  @Test("A page that answers no ping is given up")
  func halfOpen() throws {
    var limits = WebLimits()
    limits.pingSeconds = 1
    limits.hangUpSeconds = 2
    let service = try Service(limits)
    defer { service.stop() }
    let (dead, alive) = (try service.page(), try service.page())
    // One plays dead, the other answers.
    var pings = 0
    while pings < 3, let frame = alive.frame() {
      guard frame.opcode == Client.Opcode.ping else { continue }
      alive.send(Client.Opcode.pong, frame.payload)
      pings += 1
    }
    #expect(pings == 3)
    #expect(service.events.comes(.closed(PageID(number: 1))))
    #expect(!service.events.all.contains(.closed(PageID(number: 2))))
    withExtendedLifetime(dead) {}
  }

  @Test("A client that reads nothing of a large file is hung up on")
  func slowReader() throws {
    var limits = WebLimits()
    limits.requestSeconds = 1
    limits.sockets = 1
    let service = try Service(limits)
    defer { service.stop() }
    let stuck = try service.client(receiveBuffer: 2048)
    stuck.write("GET \(service.path("main.js")) HTTP/1.1\r\nHost: 127.0.0.1:\(service.server.port)\r\n\r\n".utf8)
    // There is room for one: the next gets in when the first is gone.
    var status = 503
    let limit = Date(timeIntervalSinceNow: 20)
    while status != 200, Date() < limit { status = try service.get(service.path("")).status }
    #expect(status == 200)
    withExtendedLifetime(stuck) {}
  }
}
