// The calibration as text.
import Calibration
import Fixtures
import Gestures
import Testing

@testable import faceplay

@Suite("Text by columns")
struct TextColumnsTests {
  @Test("Korean takes two columns a letter; text is cut and wrapped by columns, without control characters")
  func columns() {
    #expect("입술 oo".columns == 7)
    #expect("입술을".cut(to: 5) == "입술" && "a\u{1B}[2Jb".cut(to: 9) == "a[2Jb")
    #expect("입술을 오므려 내밀었다가".wrapped(to: 13) == ["입술을 오므려", "내밀었다가"])
    #expect("extraordinarily long".wrapped(to: 6) == ["extrao", "long"])
    #expect("".wrapped(to: 6).isEmpty)
  }
}

@Suite("Calibration view")
struct CalibrationViewTests {
  private let script = try! CalibrationScript.shipped()

  @Test("Every line fits, in both languages, at any width", arguments: Language.allCases, [1, 20, 40, 80, 200])
  func fits(language: Language, width: Int) {
    let view = CalibrationView(script: script, language: language, takesKeys: true)
    let lines = view.lines(
      GuidedCalibration(script: script, base: Profile()).status, nil, title: "faceplay calibrate · x", width: width)
    #expect(lines.allSatisfy { $0.columns < max(width, 2) })
  }

  @Test("What keeps the camera from delivering is shown in place of a hint")
  func trouble() {
    let view = CalibrationView(script: script, language: .en, takesKeys: false)
    let lines = view.lines(
      GuidedCalibration(script: script, base: Profile()).status, .unplugged, title: "", width: 120)
    #expect(lines.contains { $0.hasPrefix("! ") })
  }

  @Test("Line by line, a status that says nothing new says nothing")
  func news() {
    let view = CalibrationView(script: script, language: .en, takesKeys: false)
    var calibration = GuidedCalibration(script: script, base: Profile())
    let first = calibration.status
    #expect(view.news(first, since: nil).count == 2)
    #expect(view.news(first, since: first).isEmpty)
    calibration.skipStep()
    #expect(view.news(calibration.status, since: first).first?.hasPrefix("step 2 of 5 · Tilt your head: ") == true)
  }

  @Test("Keys repeat and skip a step, and do nothing in a live session")
  func keys() {
    var reader = KeyReader()
    #expect(reader.keys(in: Array("rn".utf8)) == [.again, .skip])
    var controls = LiveControls(Profile(), isOwn: false)
    #expect(controls.press(.again) == nil && controls.press(.skip) == nil && !controls.hasChanges)
  }

  @Test("Every refusal is in words, with nothing left to fill in", arguments: Language.allCases)
  func refusals(language: Language) {
    for refusal: CalibrationRefusal in [
      .nothingMeasured, .noFace, .noTilt(.left), .tremble(.right, extent: 5, noise: 1.26),
      .purseTilts(.left, extent: 8, roll: 6), .noPurse, .purseLikeRest,
      .purseLikeTalk(miss: 0.4, falsePerMinute: 7.25), .trial, .ended,
    ] {
      let words = script.words(refusal, language)
      #expect(words.count > 10 && !words.contains("{"))
    }
    #expect(
      script.words(.tremble(.right, extent: 5, noise: 1.26), .en).contains(
        "(5°) is lost in the trembling at rest (1.3°)"))
  }
}
