// HTTP, asked of a real server.
import Foundation
import Testing

@testable import WebService

@Suite("Requests", .serialized)
struct RequestTests {
  @Test("The page and its files are served below the token, with their types and whole")
  func files() throws {
    let service = try Service()
    defer { service.stop() }
    for (name, file, type) in [
      ("", "index.html", "text/html; charset=utf-8"), ("main.js", "main.js", "text/javascript; charset=utf-8"),
      ("sounds/jump.ogg", "sounds/jump.ogg", "audio/ogg"), ("main.js?v=1", "main.js", "text/javascript; charset=utf-8"),
    ] {
      let answer = try service.get(service.path(name))
      #expect(answer.status == 200)
      #expect(answer.head.contains("Content-Type: \(type)\r\n"))
      #expect(answer.body == Service.files[file])
    }
  }

  @Test("The address that a browser is started with leads to the page once, and only the newest does")
  func door() throws {
    let service = try Service()
    defer { service.stop() }
    let path = { (url: String) in "/open/" + url.split(separator: "/").last! }
    let old = path(service.server.oneTimeURL())
    let new = path(service.server.oneTimeURL())
    #expect(try service.get(old).status == 403)
    let answer = try service.get(new)
    #expect(answer.status == 303 && answer.head.contains("Location: \(service.path(""))\r\n"))
    #expect(try service.get(new).status == 403)
    #expect(try service.get("/open/").status == 403)
  }

  @Test(
    "Hidden files, other types, folders above and odd names are not there",
    arguments: [
      "nothing.html", ".hidden.html", "secret.conf", "sounds", "sounds/", "sounds//jump.ogg", "./main.js",
      "sounds/../main.js", "..%2f..%2fetc/passwd", "%2e%2e/index.html", "main.js%00", "main%0d%0a.js", "ws",
    ])
  func missing(name: String) throws {
    let service = try Service()
    defer { service.stop() }
    let answer = try service.get(service.path(name))
    // libwebsockets folds dots and hangs up on some of these itself.
    let folds = ["./main.js", "sounds/../main.js", "sounds//jump.ogg"].contains(name)
    #expect(answer.status == 404 || answer.body.isEmpty || answer.status == 403 || folds)
    #expect(!String(decoding: answer.body, as: UTF8.self).contains("hidden"))
    #expect(!String(decoding: answer.body, as: UTF8.self).contains("secret"))
  }

  @Test("Every answer, a refusal too, forbids inline scripts, frames, sniffing, caching and telling the address")
  func headers() throws {
    let service = try Service()
    defer { service.stop() }
    for path in [service.path(""), "/wrong/"] {
      let head = try service.get(path).head
      for header in [
        "default-src 'none'; script-src 'self'", "frame-ancestors 'none'", "X-Content-Type-Options: nosniff",
        "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Connection: close",
      ] {
        #expect(head.contains(header))
      }
    }
  }

  @Test("A wrong Host, Origin or token is answered with 403, a POST with 405, and each kind makes one log line")
  func refusals() throws {
    let service = try Service()
    defer { service.stop() }
    let path = service.path("")
    for _ in 0..<3 {
      #expect(try service.get(path, host: "evil.example").status == 403)
      #expect(try service.get(path, origin: "http://evil.example").status == 403)
      #expect(try service.get("/0000/").status == 403)
      #expect(try service.get(path, method: "POST").status == 405)
      for (host, origin, path) in [
        ("evil.example", nil, service.path("ws")), (nil, "http://evil.example", service.path("ws")),
        (nil, nil, "/0000/ws"),
      ] {
        #expect(try service.client().upgrade(path, host: host, origin: origin) == 403)
      }
    }
    #expect(service.log.all.sorted() == [Refusal.host, .method, .origin, .token].map(\.explanation).sorted())
    #expect(service.events.all.isEmpty)
  }

  @Test("localhost is as good as the address")
  func localhost() throws {
    let service = try Service()
    defer { service.stop() }
    let host = "localhost:\(service.server.port)"
    #expect(try service.get(service.path(""), host: host).status == 200)
    #expect(try service.client().upgrade(service.path("ws"), host: host) == 101)
  }

  @Test("/healthz says 200, or 503 with the trouble")
  func health() throws {
    let well = try Service()
    defer { well.stop() }
    #expect(try well.get(well.path("healthz")).status == 200)
    let ill = try Service(trouble: "the camera is unplugged")
    defer { ill.stop() }
    let answer = try ill.get(ill.path("healthz"))
    #expect(answer.status == 503)
    #expect(String(decoding: answer.body, as: UTF8.self) == "the camera is unplugged\n")
  }

  @Test("/metrics counts pages, viewers and refusals")
  func metrics() throws {
    let service = try Service()
    defer { service.stop() }
    let page = try service.page()
    page.send(#"{"type":"video","on":true}"#)
    #expect(service.events.comes(.viewers(1)))
    _ = try service.get("/wrong/")
    let answer = try service.get(service.path("metrics"))
    #expect(answer.head.contains("text/plain; version=0.0.4"))
    let text = String(decoding: answer.body, as: UTF8.self)
    for line in ["faceplay_pages 1\n", "faceplay_viewers 1\n", "faceplay_refused_total{kind=\"token\"} 1\n"] {
      #expect(text.contains(line))
    }
  }

  @Test("A port in use is reported with what to do")
  func portInUse() throws {
    let first = try Service()
    defer { first.stop() }
    #expect(throws: PageServerError.portInUse(first.server.port)) { try Service(port: first.server.port) }
  }

  @Test("An address of another machine is reported")
  func foreignAddress() {
    #expect(throws: PageServerError.noSuchAddress("192.0.2.1")) {
      try PageServer(address: "192.0.2.1", port: 0, folder: "/nowhere")
    }
  }

  @Test("An upgrade to HTTP/2 is hung up on")
  func http2() throws {
    let service = try Service()
    defer { service.stop() }
    let client = try service.client()
    client.write(
      """
      GET \(service.path("")) HTTP/1.1\r\nHost: 127.0.0.1:\(service.server.port)\r\nConnection: Upgrade, HTTP2-Settings\r
      Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n
      """.utf8)
    #expect(client.readToEnd().isEmpty)
  }
}
