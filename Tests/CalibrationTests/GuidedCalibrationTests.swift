// The guided calibration, as players meet it.
import FaceGeometry
import Fixtures
import Foundation
import Gestures
import Testing

@testable import Calibration

@Suite("Guided calibration")
struct GuidedCalibrationTests {
  private let script = try! CalibrationScript.shipped()

  @Test("A player who does what is asked goes from start to profile within 70 seconds, by face alone")
  func whole() throws {
    var guided = GuidedPlayer(script: script)
    guided.play()
    #expect(
      guided.seen == [
        "1 rest preparing", "1 rest measuring",
        "2 tiltLeft preparing", "2 tiltLeft measuring", "2 tiltRight preparing", "2 tiltRight measuring",
        "3 purse preparing", "3 purse measuring",
        "4 talk preparing", "4 talk measuring", "4 smile preparing", "4 smile measuring",
        "5 tiltLeftAndPurse preparing", "5 tiltLeftAndPurse measuring",
        "5 tiltRightAndPurse preparing", "5 tiltRightAndPurse measuring", "5 tiltRightAndPurse finished",
      ])
    #expect(guided.time < 70_000_000_000)
    let analysis = try #require(guided.calibration.outcome?.analysis)
    #expect(analysis.profile.name == "mine")
    #expect(analysis.purse?.count == 5)
    #expect(guided.status.progress == 1)
  }

  struct Player: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What it does instead, given the hint from the attempt before.
    let does: @Sendable (Activity, CalibrationText?) -> Activity?
    /// What the view shows on the way.
    let sees: [String]
    let refusal: CalibrationRefusal?
  }

  private static let players = [
    Player(
      testDescription: "who hides", does: { _, _ in nil }, sees: ["1 rest waiting", "1 rest waiting lostFace"],
      refusal: .noFace),
    Player(
      testDescription: "who hides when it begins", does: { asked, _ in asked == .tiltLeft ? nil : asked },
      sees: ["2 tiltLeft measuring", "2 tiltLeft waiting lostFace", "2 tiltLeft preparing lostFace"],
      refusal: .noFace),
    Player(
      testDescription: "who only sits there", does: { _, _ in .rest },
      sees: ["2 tiltLeft measuring", "2 tiltLeft preparing noTilt", "2 tiltLeft measuring noTilt"],
      refusal: .noTilt(.left)),
    Player(
      testDescription: "who cannot tilt to the right", does: { asked, _ in asked == .tiltRight ? .rest : asked },
      sees: ["2 tiltRight preparing noTilt"], refusal: .noTilt(.right)),
    Player(
      testDescription: "who takes the wrong side at first",
      does: { asked, hint in asked == .tiltLeft && hint == nil ? .tiltRight : asked },
      sees: ["2 tiltLeft preparing otherSide", "2 tiltLeft measuring otherSide", "2 tiltRight preparing"],
      refusal: nil),
    Player(
      testDescription: "who never purses", does: { asked, _ in asked == .purse ? .rest : asked },
      sees: ["3 purse preparing tooFewPurses"], refusal: .noPurse),
    Player(
      testDescription: "who moves at rest at first",
      does: { asked, hint in asked == .rest && hint == nil ? .tiltLeft : asked },
      sees: ["1 rest preparing moved", "1 rest measuring moved", "2 tiltLeft preparing"], refusal: nil),
    Player(
      testDescription: "who neither talks nor smiles",
      does: { asked, _ in asked == .talk || asked == .smile ? .rest : asked },
      sees: [
        "4 talk preparing noTalk", "4 smile preparing", "4 smile preparing noSmile", "5 tiltLeftAndPurse preparing",
      ],
      refusal: nil),
    Player(
      testDescription: "who cannot do both at once",
      does: { asked, _ in asked.hasPurses && asked != .purse ? .purse : asked },
      sees: ["5 tiltLeftAndPurse preparing noTilt", "5 tiltRightAndPurse preparing noTilt"], refusal: nil),
  ]

  @Test("Each player is told what is missing and asked again; the end is a profile or plain words", arguments: players)
  func told(player: Player) throws {
    var guided = GuidedPlayer(script: script, behaviour: player.does)
    guided.play()
    #expect(Set(player.sees).isSubset(of: guided.seen), "\(guided.seen)")
    let outcome = try #require(guided.calibration.outcome)
    #expect(outcome.refusal == player.refusal)
    #expect((outcome.analysis == nil) == (player.refusal != nil))
  }

  @Test("Each part is tried no more often than the script says")
  func attempts() {
    var guided = GuidedPlayer(script: script) { _, _ in .rest }
    guided.play()
    #expect(guided.seen.count { $0.hasPrefix("2 tiltLeft measuring") } == script.attempts)
  }

  @Test("When frames stop coming it ends all the same, each attempt after its patience")
  func noFrames() {
    var calibration = GuidedCalibration(script: script, base: Profile())
    var time: Int64 = 0
    while calibration.outcome == nil, time < 3_600_000_000_000 {
      calibration.advance(to: time)
      time += 250_000_000
    }
    #expect(calibration.outcome == .refused(.noFace))
    let attempt = script.patience + script.steps[0].parts[0].prepare
    #expect(abs(Double(time) / 1e9 - Double(script.attempts) * attempt) < 2)
  }

  @Test("The countdown stands while the face is away")
  func countdown() {
    var guided = GuidedPlayer(script: script) { _, _ in nil }
    while guided.time < 5_000_000_000 { guided.frame() }
    #expect(guided.status.phase == .waitingForFace)
    guided.behaviour = { activity, _ in activity }
    let start = guided.time
    guided.play { if case .measuring = $0.phase { true } else { false } }
    #expect(abs(Double(guided.time - start) / 1e9 - script.steps[0].parts[0].prepare) < 0.2)
  }

  @Test("A skipped step leaves its settings as they were; what is there is calibrated")
  func skipped() throws {
    var base = Profile(name: "mine")
    base.tilt.left.begin = 9.5
    var guided = GuidedPlayer(script: script, base: base)
    guided.play { $0.step == 1 }
    guided.calibration.skipStep()
    #expect(guided.status.step == 2)
    guided.play()
    let analysis = try #require(guided.calibration.outcome?.analysis)
    #expect(analysis.tilt == nil && analysis.profile.tilt == base.tilt)
    #expect(analysis.purse != nil && analysis.profile.neutral != nil)
  }

  @Test("With every step skipped there is nothing to save")
  func allSkipped() {
    var calibration = GuidedCalibration(script: script, base: Profile())
    for _ in script.steps { calibration.skipStep() }
    #expect(calibration.outcome == .refused(.nothingMeasured))
  }

  @Test("A step that is repeated begins at its first part, with all its attempts")
  func repeated() {
    var guided = GuidedPlayer(script: script)
    guided.play { $0.step == 1 && $0.prompt == script.steps[1].parts[1].prompt }
    guided.calibration.repeatStep()
    #expect(guided.part.activity == .tiltLeft)
    guided.play()
    #expect(guided.calibration.outcome?.analysis != nil)
  }

  @Test("When the pictures end first, that is said")
  func ended() {
    var guided = GuidedPlayer(script: script)
    guided.play { $0.step == 2 }
    guided.calibration.end()
    #expect(guided.calibration.outcome == .refused(.ended))
  }

  @Test("What was calibrated before serves as the start: curve, inversion and jumps stay, sensitivity is the middle")
  func base() throws {
    var base = Profile(name: "old")
    base.tilt.curve = 2
    base.tilt.isInverted = true
    base.jump.allowsDouble = false
    base.sensitivity.tilt = 80
    var guided = GuidedPlayer(script: script, base: base)
    guided.play()
    let profile = try #require(guided.calibration.outcome?.analysis).profile
    #expect(profile.tilt.curve == 2 && profile.tilt.isInverted && !profile.jump.allowsDouble)
    #expect(profile.sensitivity == Sensitivity() && profile.name == "old")
  }
}

@Suite("Calibration script")
struct CalibrationScriptTests {
  @Test("The shipped script has five steps, and every text in both languages")
  func shipped() throws {
    let script = try CalibrationScript.shipped()
    #expect(script.steps.count == 5)
    for language in Language.allCases {
      for key in CalibrationText.allCases { #expect(!script.text(key, language).isEmpty) }
    }
    #expect(script.text(.step, .ko, ["number": "2", "count": "5"]) == "2/5단계")
  }

  @Test(
    "A script that cannot work is refused, saying why",
    arguments: [
      ("\"version\": 1", "\"version\": 9", "version 9"), ("\"attempts\": 3", "\"attempts\": 0", "attempts"),
      ("\"patience\": 20", "\"patience\": 1e9", "patience"), ("\"seconds\": 12", "\"seconds\": -1", "seconds"),
      ("\"times\": 3", "\"times\": 99", "times"), ("\"lostFace\"", "\"lost\"", "lostFace"),
      ("\"activity\": \"smile\"", "\"activity\": \"sneeze\"", "sneeze"), ("{", "[", "not a calibration script"),
    ])
  func broken(part: String, replacement: String, reason: String) throws {
    let path = Checkout.root.appending(path: CalibrationScript.path)
    let text = try String(contentsOf: path, encoding: .utf8).replacing(part, with: replacement, maxReplacements: 1)
    #expect {
      try CalibrationScript(json: Data(text.utf8), path: "script.json")
    } throws: {
      "\($0)".contains(reason) && "\($0)".hasPrefix("script.json: ")
    }
  }

  @Test(
    "The language is the locale's: Korean or English",
    arguments: [("ko_KR.UTF-8", Language.ko), ("en_GB", .en), ("de_DE.UTF-8", .en), ("C", .en), (nil, .en)]
      as [(String?, Language)])
  func language(locale: String?, language: Language) {
    #expect(Language(locale: locale) == language)
  }
}
