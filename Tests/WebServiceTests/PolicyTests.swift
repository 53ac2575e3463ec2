// The pure rules: who may ask, how much, how often it is told.
import Testing

@testable import WebService

@Suite("Policies")
struct PolicyTests {
  private let policy = AccessPolicy(token: AccessToken("secret"), address: "127.0.0.1", port: 8765)

  @Test(
    "What may be asked, and why not",
    arguments: [
      (WebRequest(path: "/secret/", host: "127.0.0.1:8765"), "", nil),
      (WebRequest(path: "/secret/main.js", host: "LOCALHOST:8765"), "main.js", nil),
      (WebRequest(path: "/secret/ws", host: "localhost:8765", origin: "http://127.0.0.1:8765"), "ws", nil),
      (WebRequest(path: "/secret/", host: nil), nil, .host),
      (WebRequest(path: "/secret/", host: "127.0.0.1"), nil, .host),
      (WebRequest(path: "/secret/", host: "127.0.0.1:80"), nil, .host),
      (WebRequest(path: "/secret/", host: "127.0.0.1:8765.evil.example"), nil, .host),
      (WebRequest(path: "/secret/", host: "127.0.0.1:8765", origin: "null"), nil, .origin),
      (WebRequest(path: "/secret/", host: "127.0.0.1:8765", origin: "https://127.0.0.1:8765"), nil, .origin),
      (WebRequest(path: "/secret/", host: "127.0.0.1:8765", origin: "http://localhost:1"), nil, .origin),
      (WebRequest(path: "", host: "127.0.0.1:8765"), nil, .token),
      (WebRequest(path: "/", host: "127.0.0.1:8765"), nil, .token),
      (WebRequest(path: "/secret", host: "127.0.0.1:8765"), nil, .token),
      (WebRequest(path: "/secreT/", host: "127.0.0.1:8765"), nil, .token),
      (WebRequest(path: "/secrets/", host: "127.0.0.1:8765"), nil, .token),
      (WebRequest(path: "//secret/", host: "127.0.0.1:8765"), nil, .token),
      (WebRequest(path: "/secret/", host: "127.0.0.1:8765", isGet: false), nil, .method),
    ] as [(WebRequest, String?, Refusal?)])
  func access(request: WebRequest, path: String?, refusal: Refusal?) {
    do {
      #expect(try policy.target(request) == path.map { .file(Substring($0)) })
    } catch {
      #expect(error == refusal)
    }
  }

  @Test("On port 80 browsers leave the port out")
  func port80() throws {
    let policy = AccessPolicy(token: AccessToken("secret"), address: "127.0.0.1", port: 80)
    #expect(try policy.target(WebRequest(path: "/secret/", host: "localhost", origin: "http://localhost")) == .file(""))
  }

  @Test("localhost is not another address's name")
  func otherAddress() {
    let policy = AccessPolicy(token: AccessToken("secret"), address: "192.168.1.2", port: 8765)
    #expect(throws: Refusal.host) { try policy.target(WebRequest(path: "/secret/", host: "localhost:8765")) }
  }

  @Test("A run's number may be asked for without the token, but not from elsewhere, and nothing else may")
  func run() throws {
    #expect(try policy.target(WebRequest(path: "/run", host: "127.0.0.1:8765")) == .run)
    #expect(throws: Refusal.host) { try policy.target(WebRequest(path: "/run", host: "evil.example:8765")) }
    #expect(throws: Refusal.origin) {
      try policy.target(WebRequest(path: "/run", host: "127.0.0.1:8765", origin: "http://evil.example"))
    }
    for path in ["/run/", "/run/ws", "/Run"] {
      #expect(throws: Refusal.token) { try policy.target(WebRequest(path: path, host: "127.0.0.1:8765")) }
    }
  }

  @Test("A kind of refusal makes a line at once, then one a minute that tells how many there were")
  func refusalLog() {
    var log = RefusalLog()
    #expect(log.note(.token, at: 0) == Refusal.token.explanation)
    #expect(log.note(.host, at: 1) == Refusal.host.explanation)
    #expect(log.note(.token, at: 2) == nil)
    #expect(log.note(.token, times: 2, at: 59_999_999_999) == nil)
    #expect(log.note(.token, at: 60_000_000_000) == Refusal.token.explanation + " (and 3 times before)")
    #expect(log.note(.token, at: 60_000_000_001) == nil)
    #expect(log.count(.token) == 6)
    #expect(log.count(.flood) == 0)
  }

  @Test("Twice a second's worth may come at once, then no more than comes back with time")
  func rateLimit() {
    var limit = RateLimit(perSecond: 10)
    func taken(_ tries: Int, at second: Int64) -> Int {
      (0..<tries).count { _ in limit.take(1, at: second * 1_000_000_000) }
    }
    #expect(taken(20, at: 5) == 20)
    #expect(taken(1, at: 6) == 1)
    #expect(taken(9, at: 6) == 9)
    #expect(taken(1, at: 6) == 0)
    // A clock that runs backwards gives nothing.
    #expect(taken(1, at: 0) == 0)
  }

  @Test("Control goes to the first, to who asks, and from who leaves to who has been there longest")
  func seat() {
    var seat = ControlSeat()
    let (a, b, c) = (PageID(number: 1), PageID(number: 2), PageID(number: 3))
    seat.ask(a)
    #expect(seat.holder == nil)
    for page in [a, b, c] { seat.enter(page) }
    #expect(seat.holder == a)
    seat.ask(c)
    #expect(seat.holder == c)
    seat.leave(b)
    #expect(seat.holder == c)
    seat.leave(c)
    #expect(seat.holder == a)
    seat.leave(a)
    #expect(seat == ControlSeat())
  }

  @Test("Metrics are told in Prometheus' text format")
  func metrics() {
    let metric = Metric("rate", .gauge, help: "Frames.", samples: [("stage=\"a\"", 29.5), ("", 3), ("x=\"y\"", .nan)])
    #expect(
      metric.text == """
        # HELP faceplay_rate Frames.
        # TYPE faceplay_rate gauge
        faceplay_rate{stage="a"} 29.5
        faceplay_rate 3
        faceplay_rate{x="y"} NaN

        """)
  }
}
