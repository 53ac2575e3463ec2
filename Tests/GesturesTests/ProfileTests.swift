// What a profile may hold, and its data of every version.
import Foundation
import Testing

@testable import Gestures

@Suite("Profile")
struct ProfileTests {
  static let settings: [String: WritableKeyPath<Profile, Double> & Sendable] = [
    "tilt.left.begin": \.tilt.left.begin, "tilt.right.end": \.tilt.right.end, "tilt.left.full": \.tilt.left.full,
    "tilt.right.extent": \.tilt.right.extent, "tilt.noise": \.tilt.noise, "tilt.curve": \.tilt.curve,
    "purse.begin": \.purse.begin, "purse.end": \.purse.end, "purse.hold": \.purse.hold,
    "jump.interval": \.jump.interval, "sensitivity.tilt": \.sensitivity.tilt,
    "sensitivity.purse": \.sensitivity.purse,
  ]

  private func problem(_ setting: String, _ value: Double) -> String? {
    var profile = Profile()
    profile[keyPath: Self.settings[setting]!] = value
    do {
      try profile.validate()
      return nil
    } catch {
      return error.setting
    }
  }

  @Test(
    "Settings that cannot work are refused by name",
    arguments: [
      ("tilt.left.begin", 0.9), ("tilt.left.begin", 16.6), ("tilt.right.end", 12), ("tilt.right.end", -1),
      ("tilt.left.full", 31), ("tilt.left.full", 1), ("tilt.right.extent", 91), ("tilt.right.extent", 1),
      ("tilt.noise", -1), ("tilt.curve", 0), ("purse.end", 0), ("purse.begin", 0.4), ("purse.begin", 1),
      ("purse.hold", 0.6), ("jump.interval", 3), ("jump.interval", -1), ("sensitivity.tilt", 101),
      ("sensitivity.purse", -1),
    ])
  func unworkable(setting: String, value: Double) {
    #expect(problem(setting, value) == setting)
  }

  @Test("What is not finite is refused", arguments: settings.keys.sorted())
  func notFinite(setting: String) {
    for value in [Double.nan, .infinity, -.infinity] { #expect(problem(setting, value) != nil) }
  }

  @Test("So much noise that the extent is lost in it is refused")
  func noise() {
    #expect(problem("tilt.noise", 6) == "tilt.left.extent")
  }

  @Test("A neutral that no head has is refused")
  func neutral() {
    var profile = Profile(neutral: .prior)
    profile.neutral?.roll = .nan
    #expect(throws: ProfileProblem.self) { try profile.validate() }
    profile.neutral = .prior
    profile.neutral?.noseToLip = 1e9
    #expect { try profile.validate() } throws: { ($0 as? ProfileProblem)?.setting == "neutral.noseToLip" }
  }

  @Test("Every setting comes back as it was written", arguments: [nil, Neutral.prior])
  func roundTrip(neutral: Neutral?) throws {
    var profile = Profile(name: "Zoë", neutral: neutral)
    for (index, setting) in Self.settings.values.enumerated() { profile[keyPath: setting] = Double(index) + 0.1 }
    (profile.tilt.isInverted, profile.jump.allowsDouble) = (true, false)
    let data = try JSONEncoder().encode(ProfileRecord(profile))
    #expect(try JSONDecoder().decode(ProfileRecord.self, from: data).profile == profile)
  }

  @Test("Version 1 is migrated: both sides alike, the rest as it was by default")
  func firstVersion() throws {
    let json = """
      {"name":"low","tilt":{"begin":14,"end":10,"fullLeft":28,"fullRight":35,"curve":1.5},
      "purse":{"begin":0.9,"end":0.5}}
      """
    var expected = Profile(name: "low")
    (expected.tilt.left.begin, expected.tilt.left.end, expected.tilt.left.full) = (14, 10, 28)
    (expected.tilt.right.begin, expected.tilt.right.end, expected.tilt.right.full) = (14, 10, 35)
    expected.tilt.right.extent = 35
    (expected.purse.begin, expected.purse.end) = (0.9, 0.5)
    let profile = try JSONDecoder().decode(ProfileRecord.self, from: Data(json.utf8)).profile
    #expect(profile == expected)
    try profile.validate()
  }

  @Test(
    "What version 1 allowed and cannot work today is moved to the nearest that can",
    arguments: [
      // begin, end and full, and what becomes of them: at most three quarters of full speed, the end in proportion.
      (10, 8, 12, [9, 7.2, 12]), (59, 59, 60, [45, 45, 60]), (1.2, 0, 1.25, [1, 0, 4.0 / 3]),
      (9, 6, 12, [9, 6, 12]),
    ] as [(Double, Double, Double, [Double])])
  func firstVersionMoved(begin: Double, end: Double, full: Double, expected: [Double]) throws {
    let json = """
      {"name":"x","tilt":{"begin":\(begin),"end":\(end),"fullLeft":\(full),"fullRight":90,"curve":1},
      "purse":{"begin":0.9999,"end":0.0001}}
      """
    let profile = try JSONDecoder().decode(ProfileRecord.self, from: Data(json.utf8)).profile
    let left = profile.tilt.left
    #expect(zip([left.begin, left.end, left.full], expected).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(profile.tilt.right.begin == begin && profile.tilt.right.end == end)
    try profile.validate()
  }

  @Test("What version 1 refused is refused, by the setting that cannot work", arguments: [(30.0, 20.0), (0, 20)])
  func firstVersionRefused(begin: Double, full: Double) throws {
    let json = """
      {"name":"x","tilt":{"begin":\(begin),"end":0,"fullLeft":\(full),"fullRight":60,"curve":1},
      "purse":{"begin":0.9,"end":0.5}}
      """
    let profile = try JSONDecoder().decode(ProfileRecord.self, from: Data(json.utf8)).profile
    #expect { try profile.validate() } throws: { ($0 as? ProfileProblem)?.setting == "tilt.left.begin" }
  }

  @Test("A version that is not known is said to be so", arguments: [0, 3, 99])
  func unknownVersion(version: Int) {
    let json = Data(#"{"version":\#(version),"name":"x"}"#.utf8)
    #expect(throws: ProfileRecord.UnknownVersion(version: version)) {
      try JSONDecoder().decode(ProfileRecord.self, from: json)
    }
  }
}
