// faceplay calibrate: a player's own profile, found step by step and without hands.
import Calibration
import Capture
import FacePlayService
import FoundationEssentials
import Gestures
import Glibc
import Synchronization

extension Command {
  static let calibrate = Command(
    name: "calibrate", summary: "find a player's own settings, guided, and save them as a profile",
    operands: "[CAMERA|CLIP]", operandCount: 0...1,
    options: [
      Option(name: "--profile", value: "NAME", summary: "what to save it as; \(defaultName) unless said"),
      Option(name: "--language", value: "LANGUAGE", summary: "of the prompts: ko or en; the locale's unless said"),
      .engine, .keepRate,
    ]
  ) { arguments in
    let data = DataFiles()
    let language = try arguments.language()
    let script = try CalibrationScript(contentsOf: try data.path(CalibrationScript.path))
    let store = ProfileStore()
    let name = try ProfileName(arguments["--profile"] ?? defaultName)
    let base = try waiting { try await store.load(name) } ?? Profile(name: name.description)
    let run = CalibrationRun(GuidedCalibration(script: script, base: base))
    let takesKeys = TerminalScreen.isAvailable && isatty(STDIN_FILENO) == 1
    Interruption.call(onStop: { KeyMode.leave() }, onContinue: { if takesKeys { KeyMode.enter() } }) { run.stop() }
    let keys = takesKeys ? TerminalKeys { press($0, in: run) } : nil
    defer { keys?.stop() }
    let output = CalibrationOutput(CalibrationView(script: script, language: language, takesKeys: takesKeys))
    let options = try arguments.feedOptions()
    let outcome = try run.run({
      let source = try arguments.operands.first ?? CameraCatalogue.first().path
      let feed = try openFeed(source, pace: .realTime, options: options, data: data)
      output.begin(feed)
      return feed
    }) { output.show($0, $1) }
    switch outcome {
    case .calibrated(let analysis)?:
      print(script.words(analysis, language).joined(separator: "\n"))
      try waiting { try await store.save(analysis.profile) }
      print(script.text(.saved, language, ["name": analysis.profile.name]))
      return .ok
    case .refused(let refusal)?:
      print(script.words(refusal, language))
      print(script.text(.notSaved, language))
      return .data
    case nil:
      print(script.text(.notSaved, language))
      return .interrupted
    }
  }

  private static let defaultName = "mine"

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
    guard let name = self["--language"] else {
      let environment = ProcessInfo.processInfo.environment
      let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
      return Language(locale: locale)
    }
    guard let language = Language(rawValue: name) else {
      throw UsageError.badValue(option: "--language", value: name, allowed: Language.allCases.map(\.rawValue))
    }
    return language
  }
}

/// The view on a terminal, or what is new line by line.
private final class CalibrationOutput: Sendable {
  private struct State: ~Copyable {
    var screen = TerminalScreen.isAvailable ? TerminalScreen() : nil
    var last: GuidedCalibration.Status?
    var title = ""
  }

  private let view: CalibrationView
  private let state = Mutex(State())

  init(_ view: CalibrationView) { self.view = view }

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
        for line in view.news(status, since: state.last) { print(line) }
        fflush(nil)
      } else {
        state.screen?.draw(view.lines(status, trouble, title: state.title, width: TerminalScreen.size.columns))
      }
      state.last = status
    }
  }
}
