// Serves the page and talks to it: HTTP and WebSocket on one port, by one thread.
import CWebSockets
import FoundationEssentials
import Frames
import Synchronization

/// What happens on the pages' side. Told on the server's thread, with no lock held: take it and return.
public enum PageEvent: Sendable, Equatable {
  /// A page is there and has been told `hello`.
  case opened(PageID)
  case closed(PageID)
  /// Control has passed to this page; `nil` when the last one left. Held keys of others end.
  case control(PageID?)
  case message(ClientMessage, from: PageID)
  /// So many pages now want access units; none are needed at 0.
  case viewers(Int)
  case landmarkViewers(Int)
  /// A page waits for a key frame: it has just come, or fell behind.
  case wantsKeyFrame
}

/// How the service does, for `/healthz` and `/metrics`.
public struct ServiceReport: Sendable {
  /// What keeps it from working, for people; `nil` while it works.
  public var trouble: String?
  public var metrics: [Metric]

  public init(trouble: String? = nil, metrics: [Metric] = []) {
    self.trouble = trouble
    self.metrics = metrics
  }
}

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

  private struct Page {
    var assembly: MessageAssembly
    var wantsVideo = false
    var wantsLandmarks = false
  }

  private struct State {
    var handlers: Handlers?
    var pages: [PageID: Page] = [:]
    var seat = ControlSeat()
    var refusals = RefusalLog()
    var video: VideoFormat?
    /// Counts video formats; wraps.
    var stream: UInt16 = 0
  }

  public let port: UInt16
  private let address: String
  private let token: AccessToken
  private let files: PageFiles
  private let limits: WebLimits
  private let policy: AccessPolicy
  private let state = Mutex(State())
  private let viewers = Atomic(0)
  private let landmarkViewers = Atomic(0)
  private let pages = Atomic(0)
  /// Safe to share: the C server has its own lock.
  private nonisolated(unsafe) let server: OpaquePointer

  /// Listens at an IPv4 address, and at a free port where `port` is 0. `folder` holds the page's files, `index.html`
  /// first. Throws `PageServerError`.
  public convenience init(
    address: String = "127.0.0.1", port: UInt16, token: AccessToken = AccessToken(), folder: String
  ) throws(PageServerError) {
    try self.init(address: address, port: port, token: token, folder: folder, limits: WebLimits())
  }

  init(
    address: String, port: UInt16, token: AccessToken, folder: String, limits: WebLimits
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
    self.token = token
    self.limits = limits
    files = PageFiles(folder: folder)
    policy = AccessPolicy(token: token, address: address, port: self.port)
  }

  deinit { web_server_destroy(server) }

  /// What to open in a browser. Whoever knows it may control the service.
  public var url: String { "http://\(address):\(port)/\(token)/" }

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
    guard pages.load(ordering: .relaxed) > 0 else { return }
    broadcast(text: message.json, key: message.key)
  }

  /// `text` is a whole message in UTF-8: a record of a gesture stream, or `ServerMessage.world`. While a page is slow,
  /// the newest of each key waits for it; `nil` for what must not be replaced.
  public func broadcast(text: [UInt8], key: StateKey?) {
    guard pages.load(ordering: .relaxed) > 0 else { return }
    send(head: text, [], isBinary: false, key: key, to: nil)
  }

  public func send(_ message: ServerMessage, to page: PageID) {
    send(head: message.json, [], isBinary: false, key: message.key, to: page)
  }

  /// Tells what pictures come next. The next access unit must be a key frame; none of an earlier format is shown.
  public func startVideo(_ format: VideoFormat) {
    let stream = state.withLock { state in
      state.stream &+= 1
      state.video = format
      return state.stream
    }
    web_server_restart_video(server)
    broadcast(.video(format, stream: stream))
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
    // Without memory nothing can be told; the next state may fit again.
    guard let payload = Self.payload(head, bytes, isBinary: isBinary) else { return }
    defer { web_payload_release(payload) }
    let key = key?.rawValue ?? UInt32(WEB_NO_KEY)
    let full = web_server_send(server, page?.number ?? 0, payload, key)
    if full > 0 { note(.tooSlow, times: full) }
  }

  private static func payload(_ head: [UInt8], _ bytes: [UInt8], isBinary: Bool) -> OpaquePointer? {
    web_payload_create(head, head.count, bytes, bytes.count, isBinary)
  }

  // MARK: Telling

  private func tell(_ events: [PageEvent]) {
    guard let handlers = state.withLock({ $0.handlers }) else { return }
    events.forEach(handlers.event)
  }

  private func note(_ refusal: Refusal, times: Int = 1) {
    let (line, log) = state.withLock { state in
      (state.refusals.note(refusal, times: times, at: MonotonicClock.now), state.handlers?.log)
    }
    if let line { log?(line) }
  }
}

// MARK: - Requests

extension PageServer {
  /// `nil` lets a WebSocket through.
  private func respond(_ request: WebRequest) -> HTTPResponse? {
    let path: Substring
    do {
      path = try policy.path(request)
    } catch {
      return refuse(error)
    }
    guard path == "ws", request.isUpgrade else { return response(path) }
    return pages.load(ordering: .relaxed) < limits.pages ? nil : refuse(.tooManyPages)
  }

  private func refuse(_ refusal: Refusal) -> HTTPResponse {
    note(refusal)
    return HTTPResponse(refusal)
  }

  private func response(_ path: Substring) -> HTTPResponse {
    switch path {
    case "healthz":
      let trouble = report().trouble
      return HTTPResponse(status: trouble == nil ? 200 : 503, trouble ?? "ok")
    case "metrics":
      let text = (report().metrics + ownMetrics).map(\.text).joined()
      return HTTPResponse(status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", body: Data(text.utf8))
    default:
      return files.response(path) ?? HTTPResponse(status: 404, "there is no such file")
    }
  }

  private func report() -> ServiceReport {
    state.withLock({ $0.handlers })?.report() ?? ServiceReport()
  }

  private var ownMetrics: [Metric] {
    let counts = web_server_counts(server)
    let refusals = state.withLock { $0.refusals }
    return [
      Metric("pages", .gauge, help: "Pages connected.", value: Double(pages.load(ordering: .relaxed))),
      Metric("viewers", .gauge, help: "Pages that watch the video.", value: Double(viewerCount)),
      Metric("messages_sent_total", .counter, help: "Messages sent to pages.", value: Double(counts.sent_messages)),
      Metric("bytes_sent_total", .counter, help: "Bytes in those messages.", value: Double(counts.sent_bytes)),
      Metric(
        "messages_replaced_total", .counter, help: "States that newer ones replaced before they were sent.",
        value: Double(counts.replaced_messages)),
      Metric(
        "units_dropped_total", .counter, help: "Access units left out for slow pages, or for want of a key frame.",
        value: Double(counts.dropped_units)),
      Metric(
        "refused_total", .counter, help: "Requests and pages refused.",
        samples: Refusal.allCases.map { ("kind=\"\($0.rawValue)\"", Double(refusals.count($0))) }),
    ]
  }
}

// MARK: - Pages

extension PageServer {
  private func opened(_ page: PageID) {
    let (seat, count) = state.withLock { state in
      state.pages[page] = Page(assembly: MessageAssembly(limits))
      state.seat.enter(page)
      return (state.seat, state.pages.count)
    }
    pages.store(count, ordering: .relaxed)
    send(.hello(controls: seat.holder == page, pages: count), to: page)
    tellControl(seat, but: page)
    tell([.opened(page)] + (count == 1 ? [.control(page)] : []))
  }

  private func closed(_ page: PageID) {
    let (left, before, after) = state.withLock { state in
      let before = state.seat
      state.seat.leave(page)
      return (state.pages.removeValue(forKey: page), before.holder, state.seat)
    }
    pages.store(after.pages.count, ordering: .relaxed)
    tellControl(after, but: page)
    tell([.closed(page)] + (before == after.holder ? [] : [.control(after.holder)]))
    countViewers(wasViewer: left?.wantsVideo == true, wasLandmarkViewer: left?.wantsLandmarks == true)
  }

  /// Returns the status to close with, or 0.
  private func received(_ piece: UnsafeRawBufferPointer, from page: PageID, isBinary: Bool, isFinal: Bool) -> UInt16 {
    let now = MonotonicClock.now
    let result = state.withLock { state -> Result<String?, Refusal> in
      Result { () throws(Refusal) in
        try state.pages[page]?.assembly.add(piece, isBinary: isBinary, isFinal: isFinal, at: now)
      }
    }
    switch result {
    case .success(let text?): follow(text, from: page)
    case .success(nil): break
    case .failure(let refusal):
      note(refusal)
      return refusal.closeStatus
    }
    return 0
  }

  private func follow(_ text: String, from page: PageID) {
    let message: ClientMessage
    do {
      message = try ClientMessage(text: text)
    } catch {
      return send(.error(.invalidMessage, message: error.description), to: page)
    }
    if message.needsControl, state.withLock({ $0.seat.holder }) != page {
      return send(.error(.notInControl, message: "another page controls; ask for control first"), to: page)
    }
    switch message {
    case .video(let on): setWantsVideo(on, page)
    case .landmarks(let on): setWantsLandmarks(on, page)
    case .takeControl: takeControl(page)
    default: tell([.message(message, from: page)])
    }
  }

  private func setWantsVideo(_ on: Bool, _ page: PageID) {
    let (changed, video, stream) = state.withLock { state in
      let changed = state.pages[page].map { $0.wantsVideo != on } ?? false
      state.pages[page]?.wantsVideo = on
      return (changed, state.video, state.stream)
    }
    guard changed else { return }
    if on, let video { send(.video(video, stream: stream), to: page) }
    web_server_set_wants_video(server, page.number, on)
    countViewers(wasViewer: true, wasLandmarkViewer: false)
    if on { tell([.wantsKeyFrame]) }
  }

  private func setWantsLandmarks(_ on: Bool, _ page: PageID) {
    state.withLock { $0.pages[page]?.wantsLandmarks = on }
    countViewers(wasViewer: false, wasLandmarkViewer: true)
  }

  private func countViewers(wasViewer: Bool, wasLandmarkViewer: Bool) {
    let (video, landmarks) = state.withLock { state in
      (state.pages.count { $0.value.wantsVideo }, state.pages.count { $0.value.wantsLandmarks })
    }
    viewers.store(video, ordering: .relaxed)
    landmarkViewers.store(landmarks, ordering: .relaxed)
    tell((wasViewer ? [.viewers(video)] : []) + (wasLandmarkViewer ? [.landmarkViewers(landmarks)] : []))
  }

  private func takeControl(_ page: PageID) {
    let seat = state.withLock { state in
      state.seat.ask(page)
      return state.seat
    }
    tellControl(seat, but: nil)
    tell([.control(page)])
  }

  private func tellControl(_ seat: ControlSeat, but excluded: PageID?) {
    for page in seat.pages where page != excluded {
      send(.control(controls: page == seat.holder, pages: seat.pages.count), to: page)
    }
  }
}

// MARK: - What C calls

extension PageServer {
  private static var callbacks: web_handlers {
    web_handlers(
      respond: { context, request in PageServer.from(context).respond(to: request!.pointee) },
      opened: { context, connection in PageServer.from(context).opened(PageID(number: connection)) },
      received: { context, connection, bytes, count, isBinary, isFinal in
        PageServer.from(context).received(
          UnsafeRawBufferPointer(start: bytes, count: count), from: PageID(number: connection), isBinary: isBinary,
          isFinal: isFinal)
      },
      closed: { context, connection in PageServer.from(context).closed(PageID(number: connection)) },
      refused: { context in PageServer.from(context).note(.tooManyConnections) },
      context: nil)
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> PageServer {
    Unmanaged<PageServer>.fromOpaque(context!).takeUnretainedValue()
  }

  private func respond(to request: web_request) -> OpaquePointer? {
    // What is no UTF-8 is no path, host or origin of ours.
    let request = WebRequest(
      path: String(cString: request.path), host: request.host.map { String(cString: $0) },
      origin: request.origin.map { String(cString: $0) }, isGet: request.is_get, isUpgrade: request.is_upgrade)
    guard let response = respond(request) else { return nil }
    return Self.payload(Array(response.head.utf8), Array(response.body), isBinary: true)
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
