// faceplay play in a browser: the service, its page, and the browser that shows it.
import Calibration
import FacePlayService
import Gestures
import Glibc
import WebService

extension Command {
  private static let defaultPort: UInt16 = 8765

  /// Serves the page until it is interrupted.
  static func serve(_ arguments: Arguments, _ data: DataFiles) throws -> ExitStatus {
    let port = try arguments.port() ?? defaultPort
    let runs = try arguments.runFile()
    let server = try PageServer(
      port: port, key: AccessKey.kept(port: port) ?? AccessKey(), folder: try data.path("page"))
    let store = ProfileStore()
    let own = try waiting { try await store.load(try ProfileName(Profile.ownName)) }
    let profile = try arguments["--profile"] == nil ? own ?? arguments.profile(data) : arguments.profile(data)
    let service = try PlayService(
      open: { try open(arguments, data) }, profile: profile, store: store, data: data, server: server, runs: runs,
      log: { printError("faceplay: \($0)") })
    if let notice = service.notice { printError("faceplay: \(notice)") }
    Interruption.call { service.stop() }
    try printResult(server.url)
    if !arguments.has("--no-open") { openBrowser(server.url) }
    try service.run()
    return Interruption.liveStatus(default: .ok)
  }

  /// On a desktop; elsewhere the printed address must do.
  private static func openBrowser(_ url: String) {
    guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else { return }
    var child = pid_t()
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(url), nil]
    defer { for word in words { free(word) } }
    if posix_spawnp(&child, "xdg-open", nil, nil, &words, environ) != 0 {
      printError("faceplay: no browser could be opened; open the address yourself")
    }
  }
}

extension Arguments {
  /// 0 is any free port. Throws `UsageError`.
  fileprivate func port() throws -> UInt16? {
    guard let text = self["--port"] else { return nil }
    guard let port = UInt16(text) else {
      throw UsageError.badValue(option: "--port", value: text, must: "be a whole number from 0 to 65535")
    }
    return port
  }
}
