// What pages get, from a real server.
import Foundation
import Testing

@testable import WebService

@Suite("Sending", .serialized)
struct SendingTests {
  /// Small enough that a page which does not read is felt at once.
  private static let smallBuffer: Int32 = 4096

  @Test("A page is greeted, then gets messages in order, texts as text and units as binary")
  func order() throws {
    let service = try Service()
    defer { service.stop() }
    let page = try service.page()
    page.send(#"{"type":"video","on":true}"#)
    #expect(service.events.comes(.viewers(1)))
    service.server.broadcast(.saved(name: "a.mp4"))
    service.server.broadcast(text: Array(#"{"type":"event"}"#.utf8), key: nil)
    service.server.broadcast(text: ServerMessage.world(Array("{}".utf8)), key: .world)
    #expect(page.message()?.text.contains("a.mp4") == true)
    #expect(page.message()?.text == #"{"type":"event"}"#)
    #expect(page.message() == Client.Frame(opcode: 1, payload: Array(#"{"type":"world","world":{}}"#.utf8)))
    service.server.broadcast(video: [9, 8], time: 258, isKeyFrame: true)
    #expect(
      page.message() == Client.Frame(opcode: 2, payload: [1, 1, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 9, 8]))
  }

  @Test("The first page controls; the next gets control when it asks, or when the first leaves")
  func control() throws {
    let service = try Service()
    defer { service.stop() }
    let first = try service.client()
    #expect(first.upgrade(service.path("ws")) == 101)
    // The greeting is the very first.
    let greeting = try #require(first.message()).text
    #expect(greeting.contains("hello") && greeting.contains(#""controls":true"#))
    #expect(service.events.comes(.control(PageID(number: 1))))
    var second: Client? = try service.client()
    #expect(second?.upgrade(service.path("ws")) == 101)
    #expect(second?.message(holding: "hello")?.text.contains(#""controls":false"#) == true)
    second?.send(#"{"type":"jump"}"#)
    #expect(second?.message(holding: "error")?.text.contains("notInControl") == true)
    second?.send(#"{"type":"control"}"#)
    #expect(second?.message(holding: #""controls":true"#) != nil)
    #expect(first.message(holding: #""controls":false"#) != nil)
    second?.send(#"{"type":"jump"}"#)
    #expect(service.events.comes(.message(.jump, from: PageID(number: 2))))
    second = nil
    #expect(first.message(holding: #""controls":true"#)?.text.contains(#""pages":1"#) == true)
  }

  @Test("A page that reads late gets the newest state, and what must not be replaced in full")
  func newestWins() throws {
    let service = try Service()
    defer { service.stop() }
    let page = try service.page(receiveBuffer: Self.smallBuffer)
    let filling = [UInt8](repeating: 32, count: 20_000)
    for number in 0..<1000 {
      service.server.broadcast(text: Array("{\"n\":\(number)}".utf8) + filling, key: .world)
      if number % 100 == 0 { service.server.broadcast(.saved(name: "file\(number)")) }
    }
    var (numbers, saved): ([Int], Int) = ([], 0)
    while numbers.last != 999 || saved < 10, let text = page.message()?.text {
      if text.contains("saved") { saved += 1 }
      if text.hasPrefix(#"{"n":"#) { numbers.append(Int(text.dropFirst(5).prefix { $0.isNumber })!) }
    }
    #expect(numbers.last == 999)
    #expect(numbers == numbers.sorted())
    #expect(numbers.count < 200)
    #expect(saved == 10)
    #expect(service.log.all.isEmpty)
  }

  @Test("A page that falls behind in the video loses whole groups, and asks for a key frame")
  func groups() throws {
    let service = try Service()
    defer { service.stop() }
    let page = try service.page(receiveBuffer: Self.smallBuffer)
    page.send(#"{"type":"video","on":true}"#)
    #expect(service.events.comes(.wantsKeyFrame))
    let before = service.events.all.count { $0 == .wantsKeyFrame }
    var times: [Int] = []
    func readUnit() {
      guard let message = page.message() else { return }
      times.append(Int(message.payload[4]) | Int(message.payload[5]) << 8)
    }
    // Groups of 40 units of 5 kB, of which one is read at once; `time` numbers the units.
    for unit in 0..<400 {
      service.server.broadcast(video: .init(repeating: 0, count: 5000), time: Int64(unit), isKeyFrame: unit % 40 == 0)
      if unit % 40 == 0 { readUnit() }
    }
    #expect(service.events.all.count { $0 == .wantsKeyFrame } > before)
    // There is always room for a key frame.
    service.server.broadcast(video: [], time: 400, isKeyFrame: true)
    let read = times.count
    while times.last != 400, times.count < read + 400 { readUnit() }
    #expect(times.last == 400)
    #expect(times.first == 0)
    #expect(times.count < 200)
    for (earlier, later) in zip(times, times.dropFirst()) {
      #expect(later == earlier + 1 || later % 40 == 0)
    }
  }

  @Test("Video begins with its format and a key frame, and again when the format changes")
  func formats() throws {
    let service = try Service()
    defer { service.stop() }
    service.server.startVideo(VideoFormat(codec: "avc1.42E01F", width: 640, height: 480))
    let page = try service.page()
    page.send(#"{"type":"video","on":true}"#)
    let format = try #require(page.message(holding: #""type":"video""#)).text
    #expect(format.contains(#""codec":"avc1.42E01F""#) && format.contains(#""stream":1"#))
    #expect(service.events.comes(.viewers(1)))
    service.server.broadcast(video: [1], time: 1, isKeyFrame: false)
    service.server.broadcast(video: [2], time: 2, isKeyFrame: true)
    #expect(page.message()?.payload == [1, 1, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2])
    service.server.startVideo(VideoFormat(codec: "avc1.42E020", width: 1280, height: 720))
    service.server.broadcast(video: [3], time: 3, isKeyFrame: false)
    service.server.broadcast(video: [4], time: 4, isKeyFrame: true)
    #expect(page.message()?.text.contains(#""stream":2"#) == true)
    #expect(page.message()?.payload == [1, 1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4])
  }

  @Test("Pages that watch are counted: on asking, on asking no more, and on leaving")
  func viewers() throws {
    let service = try Service()
    defer { service.stop() }
    #expect(service.server.viewerCount == 0)
    var pages = try [service.page(), service.page()]
    pages[0].send(#"{"type":"video","on":true}"#)
    #expect(service.events.comes(.viewers(1)))
    pages[1].send(#"{"type":"video","on":true}"#)
    #expect(service.events.comes(.viewers(2)))
    pages[1].send(#"{"type":"video","on":false}"#)
    pages[1].send(#"{"type":"landmarks","on":true}"#)
    #expect(service.events.comes(.landmarkViewers(1)))
    #expect(service.server.viewerCount == 1)
    pages.removeFirst()
    #expect(service.events.comes(.viewers(0)))
    #expect(service.server.viewerCount == 0)
  }

  @Test("Landmarks come to pages that want them, in the same head as video")
  func landmarks() throws {
    let service = try Service()
    defer { service.stop() }
    let page = try service.page()
    page.send(#"{"type":"landmarks","on":true}"#)
    #expect(service.events.comes(.landmarkViewers(1)))
    service.server.broadcast(landmarks: [SIMD2(0, 1), SIMD2(-0.5, .nan), SIMD2(9, -9)], time: 7)
    #expect(
      page.message()?.payload
        == [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0x40, 0, 0xe0, 0, 0, 0xff, 0x7f, 0, 0x80])
  }

  @Test("A page that reads nothing at all is let go in the end, with one log line; others miss nothing")
  func stuck() throws {
    let service = try Service()
    defer { service.stop() }
    let (good, stuck) = (try service.page(), try service.page(receiveBuffer: Self.smallBuffer))
    for number in 0..<2000 {
      service.server.broadcast(.saved(name: "\(number)-" + String(repeating: "x", count: 1000)))
      #expect(good.message(holding: "saved")?.text.contains("\"\(number)-") == true)
    }
    #expect(service.events.comes(.closed(PageID(number: 2))))
    #expect(service.log.all == [Refusal.tooSlow.explanation])
    withExtendedLifetime(stuck) {}
  }

  @Test("Stopping says goodbye to each page, also to one that does not listen, and nothing is told after it")
  func stop() throws {
    let service = try Service()
    let pages = try (0..<3).map { _ in try service.page() }
    let waiting = try service.client()
    service.stop()
    for page in pages { #expect(page.closeStatus() == 1001) }
    #expect(waiting.readToEnd().isEmpty)
    let told = service.events.all.count
    service.server.broadcast(.saved(name: "late"))
    service.server.broadcast(video: [1], time: 0, isKeyFrame: true)
    #expect(service.events.all.count == told)
    #expect(throws: Client.NoConnection.self) { try Client(port: service.server.port) }
  }

  @Test("Under floods and with 200 connections tried, a good page misses none of its messages")
  func underFire() throws {
    let service = try Service()
    defer { service.stop() }
    let good = try service.page()
    let isOver = Told<Bool>()
    let attackers = (0..<3).map { kind in
      Thread {
        while !isOver.all.contains(true) { try? Self.attack(service, kind) }
        isOver.tell(false)
      }
    }
    for attacker in attackers { attacker.start() }
    // Three seconds at 30 a second.
    var arrived = 0
    for number in 0..<90 {
      service.server.broadcast(.saved(name: "\(number)!"))
      usleep(33_000)
      if good.message(holding: "saved")?.text.contains("\"\(number)!") == true { arrived += 1 }
    }
    isOver.tell(true)
    #expect(isOver.comes(false))
    #expect(arrived == 90)
    #expect(service.log.all.count == Set(service.log.all).count)
  }

  private static func attack(_ service: Service, _ kind: Int) throws {
    switch kind {
    case 0:
      let page = try service.client()
      guard page.upgrade(service.path("ws")) == 101 else { return }
      for _ in 0..<5000 where !page.send(1, .init(repeating: 32, count: 1000)) { return }
    case 1:
      let page = try service.client()
      guard page.upgrade(service.path("ws")) == 101 else { return }
      for _ in 0..<5000 where !page.send(Client.Opcode.ping, .init(repeating: 0, count: 100)) { return }
    default:
      let clients = try (0..<200).map { _ in try service.client() }
      for client in clients { _ = client.upgrade(service.path("ws")) }
    }
  }
}
