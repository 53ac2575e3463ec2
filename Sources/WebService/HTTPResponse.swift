// An answer to a request, with the headers that keep a page safe.
import FoundationEssentials

struct HTTPResponse {
  var status: Int
  var contentType = "text/plain; charset=utf-8"
  var body: Data
  /// Where to go instead.
  var location: String?

  init(status: Int, contentType: String, body: Data) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  /// A bare line of text.
  init(status: Int, _ text: String) {
    self.status = status
    body = Data("\(text)\n".utf8)
  }

  /// Leads on to another path.
  init(seeOther path: String) {
    self.init(status: 303, "go to the page")
    location = path
  }

  init(_ refusal: Refusal) {
    self.init(status: refusal.httpStatus, refusal.explanation)
  }

  /// Everything comes from this server alone, nothing inline runs, and nobody may put the page in a frame. The address
  /// holds the token, so it is told to nobody (Referrer-Policy) and kept in no cache.
  private static let headers = """
    Connection: close\r
    Cache-Control: no-store\r
    Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
    media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r
    Cross-Origin-Embedder-Policy: require-corp\r
    Cross-Origin-Opener-Policy: same-origin\r
    Cross-Origin-Resource-Policy: same-origin\r
    Permissions-Policy: camera=(), microphone=(), geolocation=()\r
    Referrer-Policy: no-referrer\r
    X-Content-Type-Options: nosniff\r\n
    """

  /// Status line and headers up to the empty line.
  var head: String {
    "HTTP/1.1 \(status) \(Self.reason(status))\r\nContent-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n"
      + (location.map { "Location: \($0)\r\n" } ?? "") + Self.headers + "\r\n"
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 303: "See Other"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    default: "Service Unavailable"
    }
  }
}
