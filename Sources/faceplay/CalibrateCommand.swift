// faceplay calibrate: a player's own profile, found step by step and without hands.
import Calibration
import Capture
import FacePlayService
import FoundationEssentials
import GestureStream
import Gestures
import Synchronization

extension Command {
  static let calibrate = Command(
    name: "calibrate", summary: "find a player's own settings, guided, and save them as a profile",
    operands: "[CAMERA|CLIP]", operandCount: 0...1,
    options: [
      Option(name: "--profile", value: "NAME", summary: "what to save it as; \(Profile.ownName) unless said"),
      Option(name: "--language", value: "LANGUAGE", summary: "of the prompts: ko or en; the locale's unless said"),
      .engine, .keepRate,
    ]
  ) { arguments in
    let data = DataFiles()
    let language = try arguments.language()
    let script = try CalibrationScript(contentsOf: try data.path(CalibrationScript.path))
    let store = ProfileStore()
    let name = try ProfileName(arguments["--profile"] ?? Profile.ownName)
    let base = try waiting { try await store.load(name) } ?? Profile(name: name.description)
    let run = CalibrationRun(GuidedCalibration(script: script, base: base))
    let takesKeys = TerminalKeys.areAvailable
    let keys = takesKeys ? TerminalKeys { press($0, in: run) } : nil
    defer { keys?.stop() }
    let view = CalibrationView(script: script, language: language, takesKeys: takesKeys)
    let output = CalibrationOutput(view) { run.stop() }
    let stop = Interruption.Stop(after: {
      keys?.resume()
      output.redraw()
    })
    Interruption.call(stop) { run.stop() }
    let options = try arguments.feedOptions()
    let outcome = try run.run({
      let source = try arguments.operands.first ?? CameraCatalogue.first().path
      let feed = try openFeed(source, pace: .realTime, options: options, data: data)
      output.begin(feed)
      return feed
    }) { output.show($0, $1) }
    try output.check()
    switch outcome {
    case .calibrated(let analysis)?:
      try printResult(script.words(analysis, language).joined(separator: "\n"))
      try waiting { try await store.save(analysis.profile) }
      try printResult(script.text(.saved, language, ["name": analysis.profile.name]))
      return .ok
    case .refused(let refusal)?:
      try printResult(script.words(refusal, language))
      try printResult(script.text(.notSaved, language))
      return .data
    case nil:
      try printResult(script.text(.notSaved, language))
      return Interruption.status(default: .interrupted)
    }
  }

  private static func press(_ key: Key, in run: CalibrationRun) {
    switch key {
    case .again: run.repeatStep()
    case .skip: run.skipStep()
    default: break
    }
  }
}

extension Arguments {
  /// `--language`, or the locale's as POSIX looks it up. Throws `UsageError`.
  fileprivate func language() throws -> Language {
    if let language: Language = try choice("--language") { return language }
    let environment = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    return Language(locale: locale)
  }
}

/// The view on a terminal, or what is new line by line.
private final class CalibrationOutput: Sendable {
  private struct State: ~Copyable {
    var screen = TerminalScreen.isAvailable ? TerminalScreen() : nil
    var last: GuidedCalibration.Status?
    var title = ""
    var failure: StreamWriteError?
  }

  private let view: CalibrationView
  private let onFailure: @Sendable () -> Void
  private let isStale = Flag()
  private let state = Mutex(State())

  /// `onFailure` is called when what is shown cannot be written.
  init(_ view: CalibrationView, onFailure: @escaping @Sendable () -> Void) {
    self.view = view
    self.onFailure = onFailure
  }

  func begin(_ feed: any ObservationFeed) {
    let isFirst = state.withLock { state in
      defer { state.title = "faceplay calibrate · \(feed.source.name)" }
      return state.title.isEmpty
    }
    if isFirst { feed.tellNotice() }
  }

  func show(_ status: GuidedCalibration.Status, _ trouble: CameraCondition?) {
    state.withLock { state in
      if state.screen == nil {
        tell(view.news(status, since: state.last), &state)
      } else {
        if isStale.lower() { state.screen?.begin() }
        let title = state.title
        state.screen?.draw { view.lines(status, trouble, title: title, width: $0.columns) }
      }
      state.last = status
    }
  }

  /// Draws all of it anew, for a terminal that others have written on.
  func redraw() { isStale.raise() }

  /// Throws what kept lines from being written.
  func check() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func tell(_ lines: [String], _ state: inout State) {
    guard state.failure == nil else { return }
    do {
      for line in lines { try printResult(line) }
    } catch {
      state.failure = error
      onFailure()
    }
  }
}
