// The way in from C.
import CWebSockets

extension PageServer {
  static var callbacks: web_handlers {
    web_handlers(
      respond: { context, request in PageServer.from(context).respond(to: request!.pointee) },
      greet: { context, connection in
        let hello = PageServer.from(context).greet(PageID(number: connection))
        return PageServer.payload(hello.json, [], isBinary: false)
      },
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
