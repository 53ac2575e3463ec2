// faceplay calibrate as a player sees it on a terminal, from start to saved profile without a key.
import Calibration
import Fixtures
import Foundation
import GestureStream
import Gestures
import Testing

@Suite("Calibrate")
struct CalibrateTests {
  private let scratch = try! Scratch()

  /// A part's time to get ready, to record, and how many purses are wanted.
  private typealias Timing = (prepare: Double, seconds: Double, times: Int?)

  /// The shipped script at other times, where the program finds it; parts without one are left out.
  private func makeScript(_ timings: [Activity: Timing], attempts: Int) throws -> CalibrationScript {
    let shipped = try Data(contentsOf: Checkout.root.appending(path: CalibrationScript.path))
    var script = try #require(JSONSerialization.jsonObject(with: shipped) as? [String: Any])
    let steps = try #require(script["steps"] as? [[String: Any]])
    script["attempts"] = attempts
    script["steps"] = steps.map { step in
      var step = step
      step["parts"] = (step["parts"] as? [[String: Any]] ?? []).compactMap { part -> [String: Any]? in
        guard let timing = timings[Activity(rawValue: part["activity"] as! String)!] else { return nil }
        var part = part
        part["prepare"] = timing.prepare
        part["seconds"] = timing.seconds
        part["times"] = timing.times
        return part
      }
      return step
    }.filter { !($0["parts"] as! [Any]).isEmpty }
    try FileManager.default.createDirectory(
      atPath: scratch.path("calibration"), withIntermediateDirectories: true)
    let path = scratch.path(CalibrationScript.path)
    try JSONSerialization.data(withJSONObject: script).write(to: URL(filePath: path))
    return try CalibrationScript(contentsOf: path)
  }

  /// What a terminal of 100 by 30 showed, screen after screen; no key is pressed.
  private func calibrate(_ source: String, _ options: String) throws -> (screens: [String], status: Int32) {
    let outcome = try Program.run(
      ["-qec", "stty cols 100 rows 30; \(Program.executable.path()) calibrate \(source) \(options)", "/dev/null"],
      executable: URL(filePath: "/usr/bin/script"),
      environment: ["TERM": "xterm", "FACEPLAY_DATA": scratch.folder.path(), "XDG_DATA_HOME": scratch.path("home")])
    return (outcome.output.components(separatedBy: "\u{1B}[J"), outcome.status)
  }

  /// The screens must show these, one after the other.
  private func expect(_ screens: [String], _ sights: [[String]]) {
    var rest = screens[...]
    for sight in sights {
      let found = rest.firstIndex { screen in sight.allSatisfy(screen.contains) }
      #expect(found != nil, "nothing shows \(sight) in\n\(rest.suffix(1).joined())")
      if let found { rest = rest[found...] }
    }
  }

  private var saved: Profile? {
    get throws { try Profile.read(scratch.path("home/faceplay/profiles/Ann.json")) }
  }

  @Test("A simulated player who follows the prompts is led through all five steps, in Korean, and has a profile")
  func simulated() throws {
    let script = try makeScript(
      [
        .rest: (0.5, 1, nil), .tiltLeft: (0.3, 1.3, nil), .tiltRight: (0.3, 1.3, nil), .purse: (0.3, 6, 2),
        .talk: (0.3, 2, nil), .smile: (0.3, 1, nil), .tiltLeftAndPurse: (0.3, 3, 1), .tiltRightAndPurse: (0.3, 3, 1),
      ], attempts: 2)
    var player = SimulatedPlayer()
    (player.extentLeft, player.extentRight) = (14, 30)
    var guided = GuidedPlayer(player, script: script, base: Profile(name: "Ann"))
    let output = try OutputFile(path: scratch.path("player.fplm"))
    let writer = try TraceWriter(output, header: TraceHeader(width: 640, height: 480, fps: 15))
    while guided.calibration.outcome == nil { try writer.write(guided.frame()) }
    try output.commit()

    let (screens, status) = try calibrate(scratch.path("player.fplm"), "--profile Ann --language ko")
    #expect(status == 0)
    expect(
      screens,
      [
        ["1/5단계 · 가만히 있기", "가만히 계세요", "준비하세요"], ["1/5단계", "지금 —", "roll    [", "purse   ["],
        ["2/5단계 · 고개 기울이기", "왼쪽 어깨", "지금 —", "█", "−"], ["2/5단계", "오른쪽 어깨", "지금 —", "+"],
        ["3/5단계 · 입술 오므리기", "오므리기 2번 중 0번"], ["오므리기 2번 중 1번"],
        ["4/5단계 · 말하고 웃기", "소리 내어 읽으세요"], ["활짝 웃어", "지금 —"],
        ["5/5단계 · 기울이며 오므리기", "왼쪽으로 기울인 채"], ["오른쪽으로 기울인 채", "지금 —"],
        ["고개는 왼쪽으로 14°, 오른쪽으로 30°까지 편안합니다", "뚜렷이 구별됩니다", "프로필 “Ann”을(를) 저장했습니다."],
      ])
    #expect(screens.allSatisfy { !$0.contains("다시 해 볼게요") })
    let profile = try #require(try saved)
    #expect(abs(profile.tilt.left.extent - 14) < 1 && abs(profile.tilt.right.extent - 30) < 1)
    #expect(profile.neutral != nil)
  }

  @Test("The demo clip, with a script that fits its times: a hint where it does not talk, then a profile")
  func demo() throws {
    _ = try makeScript(
      [
        .rest: (0.2, 1.5, nil), .tiltLeft: (0, 1.5, nil), .tiltRight: (0.9, 1.6, nil), .purse: (0.4, 6, 3),
        .talk: (0.1, 0.8, nil), .tiltRightAndPurse: (1.6, 3, 1),
      ], attempts: 2)
    let (screens, status) = try calibrate(Checkout.demo, "--profile Ann --language en")
    #expect(status == 0)
    expect(
      screens,
      [
        ["step 1 of 5 · At rest", "keep still", "now:"], ["step 2 of 5", "left shoulder", "now:", "roll    ["],
        ["right shoulder", "get ready"], ["right shoulder", "now:"], ["step 3 of 5", "0 of 3 purses seen"],
        ["1 of 3 purses seen"], ["2 of 3 purses seen"], ["step 4 of 5", "Who would choose", "now:"],
        ["Who would choose", "! I saw no talking"],
        ["step 5 of 5", "while it is tilted"],
        ["You tilt 2", "Your purse is", "Profile “Ann” is saved."],
      ])
    #expect(abs(try #require(try saved).tilt.left.extent - 20) < 2)
  }

  @Test("A player who does nothing is told so, nothing is saved, and what was saved before stays")
  func refused() async throws {
    let before = Profile(name: "Ann", sensitivity: Sensitivity(tilt: 70))
    try await ProfileStore(folder: scratch.path("home/faceplay/profiles")).save(before)
    let script = try makeScript([.rest: (0, 0.5, nil), .tiltLeft: (0, 0.5, nil)], attempts: 2)
    let output = try OutputFile(path: scratch.path("idle.fplm"))
    let writer = try TraceWriter(output, header: TraceHeader(width: 640, height: 480, fps: 15))
    var guided = GuidedPlayer(script: script) { _, _ in .rest }
    while guided.calibration.outcome == nil { try writer.write(guided.frame()) }
    try output.commit()
    let outcome = try Program.run(
      ["calibrate", scratch.path("idle.fplm"), "--profile", "Ann"],
      environment: ["FACEPLAY_DATA": scratch.folder.path(), "XDG_DATA_HOME": scratch.path("home"), "LC_ALL": "C"])
    #expect(outcome.status == 65)
    #expect(
      outcome.output.contains("  ! I saw no tilt. Once more.\n")
        && outcome.output.contains("I saw no tilt to the left.") && outcome.output.hasSuffix("Nothing was saved.\n"))
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(try saved == before)
  }

  @Test("Calibrated on its first ten seconds, the dark clip's purses are found, and none is made up", .needsCases)
  func dark() throws {
    let clip = Checkout.cases.appending(path: "demo-dark.mp4").path()
    let outcome = try Program.run(["evaluate", clip, "--calibrate-from", "0-10"])
    #expect(outcome.output.contains("6 of 6") && outcome.output.contains("0 in 0.30 min"))
    let wrong = try Program.run(["evaluate", clip, "--calibrate-from", "10-0"])
    #expect(wrong.status == 64 && wrong.errors.contains("0-10"))
  }
}
