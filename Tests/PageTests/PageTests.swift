// The page in Debian's Chromium, headless: each behaviour is played by a script in Scripts.
import Fixtures
import Foundation
import Testing

private let scripts = Checkout.root.appending(path: "Tests/PageTests/Scripts")

/// Debian's own Python, which knows Debian's selenium.
private let python = "/usr/bin/python3"

@discardableResult
private func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, errors: String) {
  let process = Process()
  process.executableURL = URL(filePath: program)
  process.arguments = arguments
  let errors = Pipe()
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = FileHandle.nullDevice
  process.standardError = errors
  try process.run()
  let text = try errors.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: text, as: UTF8.self))
}

private enum Browser {
  static let isThere =
    ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy(FileManager.default.isExecutableFile)
    && (try? run(python, ["-c", "import selenium"]).status) == 0
}

/// axe-core's rules, as a PyPI package carries them.
private enum Axe {
  static let rules: String? = {
    let environment = Checkout.root.appending(path: ".build/page-venv").path()
    let rules = "\(environment)/axe.min.js"
    if FileManager.default.fileExists(atPath: rules) { return rules }
    let requirements = scripts.appending(path: "requirements.txt").path()
    let script = """
      python3 -m venv "$1" && "$1/bin/pip" install --quiet --retries 0 --timeout 10 --requirement "$2" \
      && cp "$1"/lib/python3*/site-packages/axe_core_python/axe.min.js "$1"
      """
    let status = try? run("/bin/sh", ["-c", script, "sh", environment, requirements]).status
    return status == 0 ? rules : nil
  }()
}

/// Plays a behaviour; what failed is reported.
private func play(_ behaviour: String, _ more: String...) throws {
  let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
  let folder =
    bundle.isEmpty ? Checkout.root.appending(path: ".build/debug") : URL(filePath: bundle).deletingLastPathComponent()
  let service = folder.appending(path: "SyntheticService").path()
  let outcome = try run(python, [scripts.appending(path: "page_test.py").path(), behaviour, service] + more)
  #expect(outcome.status == 0, "\(outcome.errors)")
}

@Suite(.serialized, .enabled(if: Browser.isThere, "skipped: no chromium, chromium-driver or python3-selenium"))
struct PageTests {
  @Test("By face alone a player calibrates, tunes, climbs to the ship and plays again")
  func byFace() throws { try play("by-face") }

  @Test("By keyboard alone a player gets everywhere, climbs to the ship and plays again")
  func byKeyboard() throws { try play("by-keyboard") }

  @Test("While the face is away the game waits and says so, and can be had by keyboard")
  func faceAway() throws { try play("face-away") }

  @Test("By face alone a running game is paused, recorded, photographed and stopped")
  func pausesByFace() throws { try play("pauses-by-face") }

  @Test("What gestures choose is framed while another window is the active one, and nothing while they choose nothing")
  func unfocused() throws { try play("unfocused") }

  @Test("A recorded face in place of a camera chooses nothing, and every screen says what it is")
  func demo() throws { try play("demo") }

  @Test("A held purse chooses once; talk and a short purse choose nothing")
  func choosesOnce() throws { try play("chooses-once") }

  @Test("A second page watches, takes no gestures, and controls once it asks")
  func secondPage() throws { try play("second-page") }

  @Test("When the service is killed or ended and starts again, the page comes back by itself, and so does what it did")
  func comesBack() throws { try play("comes-back") }

  @Test("A page that looks for the service shows nothing of use to whoever else listens at its port")
  func impostor() throws { try play("impostor") }

  @Test("The player sees themselves on every screen, unless they fold the picture away")
  func seesThemselves() throws { try play("sees-themselves") }

  @Test("The plots' labels can be read, however near the thresholds are")
  func plotLabels() throws { try play("plot-labels") }

  @Test(
    "Every screen passes axe's rules and fits in both languages",
    .enabled(if: Axe.rules != nil, "skipped: axe-core could not be had from PyPI"))
  func axe() throws { try play("axe", try #require(Axe.rules)) }
}
