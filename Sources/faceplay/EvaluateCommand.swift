// faceplay evaluate: how many gestures are found, and how many are made up.
import Calibration
import Evaluation
import FacePlayService

extension Command {
  static let evaluate = Command(
    name: "evaluate", summary: "judge clips by the truth beside them", operands: "CLIP…", operandCount: 1...Int.max,
    options: [
      .profile,
      Option(
        name: "--calibrate-from", value: "A-B",
        summary: "calibrate on seconds A to B of each clip, as its truth labels them; judge the rest"),
      .engine,
    ]
  ) { arguments in
    let data = DataFiles()
    let profile = try arguments.profile(data)
    Interruption.endAtOnce()
    let options = try arguments.feedOptions()
    let range = try arguments["--calibrate-from"].map(seconds)
    let results = try arguments.operands.map { path in
      try ClipEvaluation(path: path, profile: profile, calibrateFrom: range, options: options, data: data)
    }
    if let notice = results.lazy.compactMap(\.notice).first { printError("faceplay: \(notice)") }
    try printResult("Sensitivity \(profile.name). Intervals are 95 %: Wilson's for shares, Garwood's for rates.\n")
    try printResult(EvaluationReport.table(results))
    let damages = results.compactMap(\.damage)
    for damage in damages { printError("faceplay: \(damage); what could be read counts") }
    return damages.isEmpty ? .ok : .data
  }

  private static func seconds(_ text: String) throws(UsageError) -> ClosedRange<Double> {
    let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard bounds.count == 2, bounds[0] >= 0, bounds[1] > bounds[0], bounds[1].isFinite else {
      throw .badValue(option: "--calibrate-from", value: text, must: "be two times in seconds, such as 0-10")
    }
    return bounds[0]...bounds[1]
  }
}

/// Results as text.
enum EvaluationReport {
  static func table(_ results: [ClipEvaluation]) -> String {
    let roles = Dictionary(grouping: results, by: \.role).sorted { $0.key < $1.key }
    let byRole = roles.flatMap { role, clips in rows("\(role) (\(clips.count))", clips) }
    let byClip = results.flatMap { rows($0.name, [$0]) }
    let rolls = results.compactMap { result in result.roll.map { "\(result.name.padded(to: 18))\(roll($0))" } }
    let calibrations = results.compactMap { result in
      result.calibration.map { "\(result.name.padded(to: 18))\(calibration($0))" }
    }
    let sections = [
      ["By role", header] + byRole, ["By clip: each is one person", header] + byClip,
      rolls.isEmpty ? [] : ["Unfiltered roll against the script"] + rolls,
      calibrations.isEmpty ? [] : ["Calibrated on"] + calibrations,
    ]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private static func calibration(_ calibration: Result<CalibrationAnalysis, CalibrationRefusal>) -> String {
    switch calibration {
    case .failure(let refusal): return "refused: \(refusal)"
    case .success(let found):
      let (tilt, purse) = (found.profile.tilt, found.profile.purse)
      let sides =
        found.tilt.map { _ in "tilt \(number(tilt.left.begin, 1))° \(number(tilt.right.begin, 1))°" } ?? "no tilt"
      let lips =
        found.purse.map { figures in
          "purse from \(number(purse.begin, 3)) by \(figures.count), expecting \(number(100 * figures.miss, 0)) % missed, "
            + "\(number(figures.falsePerMinute, 1)) false a minute of talk"
        } ?? "no purse"
      return "\(sides); \(lips)"
    }
  }

  private static func roll(_ roll: RollAccuracy) -> String {
    "\(counted(roll.frames, "frame")), mean error \(number(roll.meanError, 2))°, at most \(number(roll.greatestError, 2))°"
  }

  private static let header =
    "clips".padded(to: 18) + "gesture".padded(to: 9) + "found".padded(to: 28) + "false".padded(to: 42) + "delay ms"

  private static func rows(_ name: String, _ clips: [ClipEvaluation]) -> [String] {
    Gesture.allCases.compactMap { gesture in
      let tally = clips.reduce(into: Tally()) { $0 += $1.tallies[gesture] ?? Tally() }
      guard tally.expected > 0 || tally.minutes > 0 else { return nil }
      return name.padded(to: 18) + gesture.rawValue.padded(to: 9) + found(tally).padded(to: 28)
        + falseEvents(tally).padded(to: 42) + delay(tally) + places(tally, clips.count)
    }
  }

  private static func found(_ tally: Tally) -> String {
    guard tally.expected > 0 else { return "–" }
    let interval = Confidence.share(tally.found, of: tally.expected)
    let bounds = "\(number(interval.lowerBound * 100, 0))–\(number(interval.upperBound * 100, 0)) %"
    return "\(tally.found) of \(tally.expected) (\(bounds))"
  }

  private static func falseEvents(_ tally: Tally) -> String {
    guard tally.minutes > 0 else { return "\(tally.falseEvents)" }
    let interval = Confidence.rate(tally.falseEvents, per: tally.minutes)
    return "\(tally.falseEvents) in \(number(tally.minutes, 2)) min: "
      + "\(number(Double(tally.falseEvents) / tally.minutes, 2)) "
      + "(\(number(interval.lowerBound, 2))–\(number(interval.upperBound, 2))) /min"
  }

  /// Median and greatest, milliseconds.
  private static func delay(_ tally: Tally) -> String {
    guard let greatest = tally.delays.max() else { return "–" }
    let median = tally.delays.sorted()[tally.delays.count / 2]
    return "\(number(median * 1000, 0)), at most \(number(greatest * 1000, 0))"
  }

  /// Where to look, for a single clip.
  private static func places(_ tally: Tally, _ clips: Int) -> String {
    guard clips == 1 else { return "" }
    let missed = tally.missedTimes.map { "missed \(number($0, 2))" }
    let wrong = tally.falseTimes.map { "false \(number($0, 2))" }
    return (missed + wrong).isEmpty ? "" : "  [\((missed + wrong).joined(separator: ", "))]"
  }
}
