// What a profile may be called.
import Testing

@testable import Calibration

@Suite("Profile names")
struct ProfileNameTests {
  @Test(
    "Any script and punctuation will do",
    arguments: ["anna", "Zoë", "지우", "Анна 2", "👩‍👧", "a.b", "O'Neil", String(repeating: "a", count: 64)])
  func allowed(text: String) throws {
    #expect(try ProfileName(text).description == text)
  }

  @Test(
    "What a file system, a shell or a terminal would take for something else is refused with a reason",
    arguments: [
      "", ".", "..", ".hidden", "-o", "a/b", "../anna", "/etc/passwd", " anna", "anna ", "a\u{0}b", "a\nb", "\u{1B}[2J",
      "a\u{202E}b", "a\u{2028}b", String(repeating: "a", count: 65), String(repeating: "👩‍👧", count: 20), "\u{7F}",
      "a/\u{301}",
    ])
  func refused(text: String) {
    #expect { try ProfileName(text) } throws: {
      if case .badName(text, let rule) = $0 as? ProfileError { !rule.isEmpty } else { false }
    }
  }

  @Test("Presets' names are theirs, however they are written", arguments: ["low", "Medium", "HIGH"])
  func reserved(text: String) {
    #expect(throws: ProfileError.reservedName(text)) { try ProfileName(text) }
  }

  @Test("An error shows a name without what a terminal would obey")
  func printable() {
    let error = #expect(throws: ProfileError.self) { try ProfileName("\u{1B}[2Janna") }
    #expect("\(error!)".hasPrefix("“[2Janna” cannot"))
  }
}
