// Serves the page and talks to it: HTTP and WebSocket on one port, by one thread.
import CWebSockets
import FoundationEssentials
import Frames
import Synchronization

/// Listens from its making, serves from `start` to `stop`; everything may be called from any thread.
///
/// Sending queues and returns at once. A page that does not keep up gets the newest of each state, loses groups of
/// access units, and is closed only when 64 messages or 1 MiB wait for it.
public final class PageServer: Sendable {
  public struct Handlers: Sendable {
    public var event: @Sendable (PageEvent) -> Void
    /// Asked on the server's thread at each `/healthz` and `/metrics`.
    public var report: @Sendable () -> ServiceReport
    /// One line for the log.
    public var log: @Sendable (String) -> Void

    public init(
      event: @escaping @Sendable (PageEvent) -> Void, report: @escaping @Sendable () -> ServiceReport,
      log: @escaping @Sendable (String) -> Void
    ) {
      self.event = event
      self.report = report
      self.log = log
    }
  }

  struct Page {
    var assembly: MessageAssembly
    var wantsVideo = false
    var wantsLandmarks = false
  }

  struct State {
    var handlers: Handlers?
    var pages: [PageID: Page] = [:]
    var seat = ControlSeat()
    var refusals = RefusalLog()
    /// The code that still opens the page.
    var door: AccessToken?
    var video: VideoFormat?
    /// Counts video formats; wraps.
    var stream: UInt16 = 0
  }

  public let port: UInt16
  private let address: String
  let key: AccessKey
  let run = RunNumber()
  let token: AccessToken
  let files: PageFiles
  let limits: WebLimits
  let policy: AccessPolicy
  let state = Mutex(State())
  // Of `state.pages`, to be read without its lock.
  let pageCount = Atomic(0)
  let viewers = Atomic(0)
  let landmarkViewers = Atomic(0)
  /// Safe to share: the C server has its own lock.
  nonisolated(unsafe) let server: OpaquePointer

  /// Listens at an IPv4 address, and at a free port where `port` is 0. `folder` holds the page's files, `index.html`
  /// first. Pages that an earlier server with this key let in find this one. Throws `PageServerError`.
  public convenience init(
    address: String = "127.0.0.1", port: UInt16, key: AccessKey = AccessKey(), folder: String
  ) throws(PageServerError) {
    try self.init(address: address, port: port, key: key, folder: folder, limits: WebLimits())
  }

  init(
    address: String, port: UInt16, key: AccessKey, folder: String, limits: WebLimits
  ) throws(PageServerError) {
    var server: OpaquePointer?
    let code = address.withCString { address in
      var options = web_options(limits, address: address, port: port)
      return web_server_create(&options, &server)
    }
    guard let server else { throw PageServerError(code: code, address: address, port: port) }
    self.server = server
    self.port = web_server_port(server)
    self.address = address
    self.key = key
    token = key.token(of: run)
    self.limits = limits
    files = PageFiles(folder: folder)
    policy = AccessPolicy(token: token, address: address, port: self.port)
  }

  deinit { web_server_destroy(server) }

  /// What to open in a browser. Whoever knows it may control the service.
  public var url: String { "http://\(address):\(port)/\(token)/" }

  /// An address that leads to the page once, for a browser's command line, which other users can read. A further one
  /// takes its place.
  public func oneTimeURL() -> String {
    let code = AccessToken.random
    state.withLock { $0.door = code }
    return "http://\(address):\(port)/open/\(code)"
  }

  /// Starts to serve; once. Throws `PageServerError`.
  public func start(_ handlers: Handlers) throws(PageServerError) {
    state.withLock { $0.handlers = handlers }
    // Given back by `stop`.
    let context = Unmanaged.passRetained(self)
    var callbacks = Self.callbacks
    callbacks.context = context.toOpaque()
    let code = web_server_start(server, &callbacks)
    guard code == 0 else {
      context.release()
      throw PageServerError(code: code, address: address, port: port)
    }
  }

  /// Closes all pages with 1001 (going away); no event comes after it. Must be called once after `start`, and not from
  /// an event.
  public func stop() {
    web_server_stop(server)
    state.withLock { $0.handlers = nil }
    Unmanaged.passUnretained(self).release()
  }

  // MARK: Sending

  /// Pages that want access units now; without any, none need be encoded.
  public var viewerCount: Int { viewers.load(ordering: .relaxed) }
  public var landmarkViewerCount: Int { landmarkViewers.load(ordering: .relaxed) }

  public func broadcast(_ message: ServerMessage) {
    guard pageCount.load(ordering: .relaxed) > 0 else { return }
    broadcast(text: message.json, key: message.key)
  }

  /// `text` is a whole message in UTF-8: a record of a gesture stream, or `ServerMessage.world`. While a page is slow,
  /// the newest of each key waits for it; `nil` for what must not be replaced.
  public func broadcast(text: [UInt8], key: StateKey?) {
    guard pageCount.load(ordering: .relaxed) > 0 else { return }
    send(head: text, [], isBinary: false, key: key, to: nil)
  }

  public func send(_ message: ServerMessage, to page: PageID) {
    send(head: message.json, [], isBinary: false, key: message.key, to: page)
  }

  /// As `broadcast(text:key:)`, to one page.
  public func send(text: [UInt8], key: StateKey?, to page: PageID) {
    send(head: text, [], isBinary: false, key: key, to: page)
  }

  /// Tells what pictures come next, from the thread that sends them. The next access unit must be a key frame; none of
  /// an earlier format is shown.
  public func startVideo(_ format: VideoFormat) {
    let full = state.withLock { state in
      state.stream &+= 1
      state.video = format
      web_server_restart_video(server)
      let message = ServerMessage.video(format, stream: state.stream)
      return queue(head: message.json, [], isBinary: false, key: message.key, to: nil)
    }
    if full > 0 { note(.tooSlow, times: full) }
  }

  /// An H.264 access unit in Annex B, key frames with their parameter sets; `time` in nanoseconds, as the gesture
  /// stream's `t`.
  public func broadcast(video unit: [UInt8], time: Int64, isKeyFrame: Bool) {
    guard viewerCount > 0 else { return }
    let stream = state.withLock { $0.stream }
    let head = BinaryHead(kind: .video, flags: isKeyFrame ? BinaryHead.keyFrame : 0, stream: stream, time: time)
    guard let payload = Self.payload(head.bytes, unit, isBinary: true) else { return }
    defer { web_payload_release(payload) }
    if web_server_send_unit(server, payload, isKeyFrame) > 0 { tell([.wantsKeyFrame]) }
  }

  /// A frame's landmarks in pictures' widths and heights, from the upper left; `time` as for video.
  public func broadcast(landmarks: [SIMD2<Float>], time: Int64) {
    guard landmarkViewerCount > 0 else { return }
    let stream = state.withLock { $0.stream }
    let head = BinaryHead(kind: .landmarks, stream: stream, time: time).bytes
    let points = BinaryHead.landmarkBytes(landmarks)
    for page in state.withLock({ $0.pages.filter(\.value.wantsLandmarks).keys }) {
      send(head: head, points, isBinary: true, key: .landmarks, to: page)
    }
  }

  private func send(head: [UInt8], _ bytes: [UInt8], isBinary: Bool, key: StateKey?, to page: PageID?) {
    let full = queue(head: head, bytes, isBinary: isBinary, key: key, to: page)
    if full > 0 { note(.tooSlow, times: full) }
  }

  /// Returns for how many pages there was no room. May be called with `state` locked.
  func queue(head: [UInt8], _ bytes: [UInt8], isBinary: Bool, key: StateKey?, to page: PageID?) -> Int {
    // Without memory nothing can be told; the next state may fit again.
    guard let payload = Self.payload(head, bytes, isBinary: isBinary) else { return 0 }
    defer { web_payload_release(payload) }
    let key = key?.rawValue ?? UInt32(WEB_NO_KEY)
    return web_server_send(server, page?.number ?? 0, payload, key)
  }

  static func payload(_ head: [UInt8], _ bytes: [UInt8], isBinary: Bool) -> OpaquePointer? {
    web_payload_create(head, head.count, bytes, bytes.count, isBinary)
  }

  // MARK: Telling

  func tell(_ events: [PageEvent]) {
    guard let handlers = state.withLock({ $0.handlers }) else { return }
    events.forEach(handlers.event)
  }

  func note(_ refusal: Refusal, times: Int = 1) {
    let (line, log) = state.withLock { state in
      (state.refusals.note(refusal, times: times, at: MonotonicClock.now), state.handlers?.log)
    }
    if let line { log?(line) }
  }
}

extension web_options {
  fileprivate init(_ limits: WebLimits, address: UnsafePointer<CChar>, port: UInt16) {
    self.init(
      address: address, port: port, max_sockets: UInt32(limits.sockets),
      request_seconds: UInt32(limits.requestSeconds), ping_seconds: UInt32(limits.pingSeconds),
      hang_up_seconds: UInt32(limits.hangUpSeconds), farewell_milliseconds: UInt32(limits.farewellMilliseconds))
  }
}
