// Who may ask for what: a pure function of a request's head.

/// A request as far as it decides what is answered.
struct WebRequest: Equatable {
  /// Without query, percent signs decoded.
  var path: String
  var host: String?
  var origin: String?
  var isGet = true
  /// Asks for a WebSocket.
  var isUpgrade = false
}

/// The rules, in the order in which they are checked.
///
/// - `Host` must be ours: else a page elsewhere could reach us under a name of its own (DNS rebinding).
/// - `Origin`, if there is one, must be ours. Browsers send it with every WebSocket and every request from another page;
///   what is no browser needs the token anyway.
/// - The path's first part must be the token, but for `/run`, which says no more than that this is faceplay, and
///   `/open/CODE`, which leads a browser to the page once.
struct AccessPolicy {
  /// What was asked for.
  enum Target: Equatable {
    /// The number of the run, which pages of earlier ones ask for.
    case run
    /// The page, by a code that is good for one time.
    case door(Substring)
    /// The path after the token, without its leading slash: empty for the page itself.
    case file(Substring)
  }

  let token: AccessToken
  /// As `Host` spells them, port included.
  let hosts: [String]

  /// `address` is the IPv4 address listened at.
  init(token: AccessToken, address: String, port: UInt16) {
    self.token = token
    let names = address.hasPrefix("127.") ? [address, "localhost"] : [address]
    // Browsers leave out the port that http implies.
    hosts = names.flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] }
  }

  /// Throws why not.
  func target(_ request: WebRequest) throws(Refusal) -> Target {
    guard let host = request.host?.lowercased(), hosts.contains(host) else { throw .host }
    if let origin = request.origin?.lowercased() {
      guard hosts.contains(where: { origin == "http://\($0)" }) else { throw .origin }
    }
    guard request.path != "/run" || !request.isGet else { return .run }
    if request.isGet, request.path.hasPrefix("/open/") { return .door(request.path.dropFirst("/open/".count)) }
    let path = request.path.utf8.dropFirst()
    let end = path.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
    guard request.path.utf8.first == UInt8(ascii: "/"), token.matches(path[..<end]), end < path.endIndex else {
      throw .token
    }
    guard request.isGet else { throw .method }
    return .file(request.path[path.index(after: end)...])
  }
}
