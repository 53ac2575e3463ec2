// Keys as bytes, and what they come to.
import Gestures
import Testing

@testable import faceplay

@Suite("Keys")
struct KeyReaderTests {
  @Test("Arrows in either of a terminal's modes, with or without a modifier, and letters are keys")
  func keys() {
    var reader = KeyReader()
    let keys = reader.keys(in: Array("\u{1B}[C\u{1B}[D\u{1B}OA\u{1B}OB\u{1B}[1;5Cc s".utf8))
    #expect(keys == [.tiltMore, .tiltLess, .purseMore, .purseLess, .tiltMore, .recentre, .pause, .save])
  }

  @Test("A sequence that comes in pieces is one key")
  func pieces() {
    var reader = KeyReader()
    #expect([[0x1B], [0x5B], [0x43]].flatMap { reader.keys(in: $0) } == [.tiltMore])
  }

  @Test("Other keys and bytes are passed over, and what follows is read")
  func others() {
    var reader = KeyReader()
    let bytes = Array("xyz\u{1B}x\u{1B}\u{1B}[A\u{1B}[5~\u{1B}[200~é".utf8) + [0, 255, UInt8(ascii: "c")]
    #expect(reader.keys(in: bytes) == [.purseMore, .recentre])
  }
}

@Suite("Live controls")
struct LiveControlsTests {
  private func effects(_ keys: [Key], _ controls: inout LiveControls) -> [LiveControls.Effect] {
    keys.compactMap { controls.press($0) }
  }

  private func profile(_ tilt: Double, _ purse: Double) -> Profile {
    Profile(sensitivity: Sensitivity(tilt: tilt, purse: purse))
  }

  @Test("Each gesture is moved by 5 % at a key, within 0 and 100")
  func moves() {
    var controls = LiveControls(profile(95, 5), isOwn: false)
    let effects = effects([.tiltMore, .tiltMore, .purseLess, .purseLess, .tiltLess], &controls)
    #expect(effects == [(100, 5), (100, 5), (100, 0), (100, 0), (95, 0)].map { .take(profile($0, $1)) })
    #expect(controls.hasChanges)
  }

  @Test("At an end a key changes nothing")
  func ends() {
    var controls = LiveControls(profile(100, 0), isOwn: false)
    _ = effects([.tiltMore, .purseLess], &controls)
    #expect(!controls.hasChanges)
  }

  @Test("Space pauses and goes on")
  func pauses() {
    var controls = LiveControls(Profile(), isOwn: false)
    #expect(effects([.pause, .pause], &controls) == [.pause, .resume])
  }

  @Test("A preset is saved under a name of its own, and from then on that is what is saved to")
  func savesPreset() {
    var controls = LiveControls(Profile(name: "low"), isOwn: false)
    #expect(controls.press(.save) == .save(Profile(name: "low"), replaces: false))
    controls.saved(Profile(name: "my-low"))
    #expect(controls.notice == "saved: --profile my-low")
    #expect(controls.press(.save) == .save(Profile(name: "my-low"), replaces: true))
  }

  @Test("What was changed while it was being saved is still to be saved")
  func changedMeanwhile() {
    var controls = LiveControls(profile(50, 50), isOwn: true)
    _ = controls.press(.tiltMore)
    let saving = controls.profile
    _ = controls.press(.tiltMore)
    controls.saved(saving)
    #expect(controls.hasChanges)
    controls.saved(controls.profile)
    #expect(!controls.hasChanges)
  }

  @Test("A name for a new profile is never one that is taken")
  func names() {
    let preset = Profile(name: "high")
    #expect(LiveControls.name(for: preset, taken: []) == "my-high")
    #expect(LiveControls.name(for: preset, taken: ["my-high", "my-high-2"]) == "my-high-3")
  }

  @Test("Recentring keeps a calibrated profile's new neutral, and says when there is no face")
  func recentring() {
    var controls = LiveControls(Profile(), isOwn: true)
    controls.recentred(nil)
    #expect(controls.notice.contains("no face") && !controls.hasChanges)
    let neutral = Neutral(
      roll: 4, yaw: 0, widthOverNose: 1, upperThickness: 0, lowerThickness: 0, middleDrop: 0, noseToLip: 0)
    controls.recentred(Profile(neutral: neutral))
    #expect(controls.profile.neutral == neutral && controls.hasChanges)
  }

  @Test("What went wrong is shown whole in the narrowest terminal", arguments: [20, 80, 200])
  func notices(width: Int) {
    var controls = LiveControls(Profile(), isOwn: true)
    let error = UsageError.unknownCommand(String(repeating: "abcdefgh", count: 20), known: [])
    controls.failed(error)
    let lines = controls.lines(width: width).dropFirst()
    #expect(lines.allSatisfy { $0.count < width })
    #expect(lines.map { $0.dropFirst(8) }.joined() == "\(error)")
  }
}
