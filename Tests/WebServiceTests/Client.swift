// A WebSocket client on a bare socket, which can also misbehave.
import Foundation

final class Client {
  struct Frame: Equatable {
    var opcode: UInt8
    var payload: [UInt8]

    var text: String { String(decoding: payload, as: UTF8.self) }
    /// Of a close frame.
    var closeStatus: Int? { opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }
  }

  enum Opcode {
    static let continuation: UInt8 = 0
    static let text: UInt8 = 1
    static let binary: UInt8 = 2
    static let close: UInt8 = 8
    static let ping: UInt8 = 9
    static let pong: UInt8 = 10
  }

  /// Nobody listens.
  struct NoConnection: Error {}

  private let descriptor: Int32
  private let port: UInt16
  private var buffer: [UInt8] = []

  /// `receiveBuffer` bounds what the kernel takes in for a client that does not read.
  init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    self.port = port
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    // So that a test fails rather than hangs.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw NoConnection() }
  }

  deinit { close(descriptor) }

  /// Returns false once the other end is gone.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest.removeFirst(count)
    }
    return true
  }

  /// Whether something comes, or the end, within so many milliseconds.
  func hears(within milliseconds: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, milliseconds) > 0
  }

  /// False at the end, or when the connection broke.
  private func fill() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    guard count > 0 else { return false }
    buffer += chunk[..<count]
    return true
  }

  private func read(_ count: Int) -> [UInt8]? {
    while buffer.count < count {
      guard fill() else { return nil }
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  /// All that comes until the other end closes.
  func readToEnd() -> [UInt8] {
    while fill() {}
    defer { buffer = [] }
    return buffer
  }

  /// A response's head; empty if the connection ended before.
  func readHead() -> String {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = buffer.firstRange(of: end) {
        defer { buffer.removeFirst(range.upperBound) }
        return String(decoding: buffer[..<range.upperBound], as: UTF8.self)
      }
      guard fill() else { return "" }
    }
  }

  /// Asks for a WebSocket and returns the response's status; 0 if there is none.
  func upgrade(_ path: String, host: String? = nil, origin: String? = nil) -> Int {
    let host = host ?? "127.0.0.1:\(port)"
    write(
      """
      GET \(path) HTTP/1.1\r\nHost: \(host)\r\nOrigin: \(origin ?? "http://\(host)")\r\nUpgrade: websocket\r
      Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n
      """.utf8)
    return Self.status(readHead())
  }

  static func status(_ head: String) -> Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }

  // MARK: Frames

  @discardableResult
  func send(_ text: String) -> Bool { send(Opcode.text, Array(text.utf8)) }

  /// `claimed` is the length the head tells.
  @discardableResult
  func send(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, claimed: Int? = nil) -> Bool {
    let count = claimed ?? payload.count
    var head = [(isFinal ? 0x80 : 0) | opcode]
    switch count {
    case ..<126: head.append(0x80 | UInt8(count))
    case ..<65_536: head += [0x80 | 126, UInt8(count >> 8), UInt8(count & 0xff)]
    default: head += [0x80 | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
    let mask: [UInt8] = [1, 2, 3, 4]
    return write(head + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] })
  }

  /// The next frame; `nil` at the end.
  func frame() -> Frame? {
    guard let head = read(2) else { return nil }
    var count = Int(head[1] & 0x7f)
    if count >= 126 {
      guard let long = read(count == 126 ? 2 : 8) else { return nil }
      count = long.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let payload = read(count) else { return nil }
    return Frame(opcode: head[0] & 0x0f, payload: payload)
  }

  /// The next message or close frame; pings are answered, as a browser does.
  func message() -> Frame? {
    while let frame = frame() {
      guard frame.opcode == Opcode.ping else { return frame }
      send(Opcode.pong, frame.payload)
    }
    return nil
  }

  /// The next text message that holds `text`.
  func message(holding text: String) -> Frame? {
    while let message = message() {
      if message.opcode == Opcode.text, message.text.contains(text) { return message }
    }
    return nil
  }

  /// Reads on to the close frame and returns its status; `nil` if the connection ends without one.
  func closeStatus() -> Int? {
    while let message = message() {
      if let status = message.closeStatus { return status }
    }
    return nil
  }
}
