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
    // Words that make no sense are told before anything is opened.
    let source = try arguments.sourceName()
    let port = try arguments.port() ?? defaultPort
    let runs = try arguments.runFile()
    let server = try PageServer(
      port: port, key: AccessKey.kept(port: port) ?? AccessKey(), folder: try data.path("page"))
    let store = ProfileStore()
    let profile = try arguments.playerProfile(data)
    let (feed, isDemo) = try openOrDemo(source, arguments, data, again: true)
    let service = try PlayService(
      feed: feed, isDemo: isDemo, profile: profile, store: store, data: data, server: server, runs: runs,
      log: { printError("faceplay: \($0)") })
    if let notice = service.notice { printError("faceplay: \(notice)") }
    Interruption.call { service.stop() }
    try printResult(server.url)
    if !arguments.has("--no-open") { openBrowser(server) }
    try service.run()
    return Interruption.liveStatus(default: .ok)
  }

  /// On a desktop; elsewhere the printed address must do.
  private static func openBrowser(_ server: PageServer) {
    guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else {
      return printError("faceplay: there is no desktop here; open the address in a browser on this machine")
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // What this process blocks or ignores is its own matter.
    var (blocked, defaults) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigfillset(&defaults)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(server.oneTimeURL()), nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    guard posix_spawnp(&child, "xdg-open", nil, &attributes, &words, environ) == 0 else {
      return printError("faceplay: no browser could be opened; open the address yourself")
    }
    _ = WorkerThread("browser") { [child] in waitpid(child, nil, 0) }
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
