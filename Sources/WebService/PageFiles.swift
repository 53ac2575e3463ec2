// The page's static files.
import FoundationEssentials

/// The files below a folder that may be served: those of a known type whose names hold nothing but letters, digits,
/// `-`, `_` and `.`, in folders so named. Read anew each time: they are few and small.
struct PageFiles {
  let folder: String

  /// `path` is relative to the folder; empty for `index.html`. `nil` if there is no such file to serve.
  func response(_ path: Substring) -> HTTPResponse? {
    let path = path.isEmpty ? "index.html" : path
    guard path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy(Self.isName),
      let dot = path.lastIndex(of: "."), let type = Self.types[String(path[path.index(after: dot)...])],
      let body = try? Data(contentsOf: URL(filePath: folder).appending(path: String(path)))
    else { return nil }
    return HTTPResponse(status: 200, contentType: type, body: body)
  }

  /// A leading dot is no name: `..` and hidden files.
  private static func isName(_ part: Substring) -> Bool {
    !part.isEmpty && part.first != "."
      && part.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "woff2": "font/woff2",
    "ogg": "audio/ogg", "wav": "audio/wav",
  ]
}
