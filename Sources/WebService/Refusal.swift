// What the server does not put up with, and how it says so.

/// One kind of refusal: told in the log, counted in the metrics.
enum Refusal: String, Error, CaseIterable {
  case host, origin, token, method
  case tooManyPages = "too-many-pages"
  case tooManyConnections = "too-many-connections"
  case notUTF8 = "not-utf8"
  case binary
  case tooLarge = "too-large"
  case flood
  case tooSlow = "too-slow"

  /// Of the answer to a request.
  var httpStatus: Int {
    switch self {
    case .method: 405
    case .tooManyPages, .tooManyConnections: 503
    default: 403
    }
  }

  /// Of the close frame (RFC 6455, section 7.4, and IANA's registry).
  var closeStatus: UInt16 {
    switch self {
    case .binary: 1003
    case .notUTF8: 1007
    case .tooLarge: 1009
    case .tooSlow, .tooManyPages, .tooManyConnections: 1013
    case .flood, .host, .origin, .token, .method: 1008
    }
  }

  /// What the log says.
  var explanation: String {
    switch self {
    case .host: "refused a request for another host: its Host is not our address"
    case .origin: "refused a request from another page: its Origin is not our address"
    case .token: "refused a request without this run's token; open the address that faceplay printed"
    case .method: "refused a request that is no GET"
    case .tooManyPages: "refused a page: too many are connected"
    case .tooManyConnections: "refused a connection: too many are open"
    case .notUTF8: "closed a page that sent text that is not UTF-8"
    case .binary: "closed a page that sent binary data"
    case .tooLarge: "closed a page that sent too large a message"
    case .flood: "closed a page that sent too much at once"
    case .tooSlow: "closed a page that does not keep up; it may connect again"
    }
  }
}

/// Turns refusals into log lines, few enough that a flood of them does no harm. A pure value: time is passed in.
struct RefusalLog {
  /// Nanoseconds in which one kind makes one line.
  static let quiet: Int64 = 60_000_000_000

  private struct Entry {
    var count = 0
    var lastLine: Int64
    var untold = 0
  }

  private var entries: [Refusal: Entry] = [:]

  /// The line to log, if it is time for one; `now` is CLOCK_MONOTONIC in nanoseconds.
  mutating func note(_ refusal: Refusal, times: Int = 1, at now: Int64) -> String? {
    let isFirst = entries[refusal] == nil
    var entry = entries[refusal] ?? Entry(lastLine: now)
    defer { entries[refusal] = entry }
    entry.count += times
    guard isFirst || now - entry.lastLine >= Self.quiet else {
      entry.untold += times
      return nil
    }
    defer { entry.untold = 0 }
    entry.lastLine = now
    return entry.untold == 0 ? refusal.explanation : "\(refusal.explanation) (and \(entry.untold) times before)"
  }

  func count(_ refusal: Refusal) -> Int { entries[refusal]?.count ?? 0 }
}
