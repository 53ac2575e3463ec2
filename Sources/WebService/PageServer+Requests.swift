// What requests are answered with.
import CWebSockets
import FoundationEssentials

extension PageServer {
  /// `nil` lets a WebSocket through.
  func respond(_ request: WebRequest) -> HTTPResponse? {
    do {
      switch try policy.target(request) {
      case .run: return HTTPResponse(status: 200, hexadecimal(run.bytes))
      case .door(let code):
        let isOpen = state.withLock { state in
          guard state.door?.matches(code.utf8) == true else { return false }
          state.door = nil
          return true
        }
        return isOpen ? HTTPResponse(seeOther: "/\(token)/") : refuse(.token)
      case .file("ws") where request.isUpgrade:
        return pageCount.load(ordering: .relaxed) < limits.pages ? nil : refuse(.tooManyPages)
      case .file(let path): return response(path)
      }
    } catch {
      return refuse(error)
    }
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
      Metric("pages", .gauge, help: "Pages connected.", value: Double(pageCount.load(ordering: .relaxed))),
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
