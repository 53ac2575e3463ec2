// Sensitivity from 0 to 100 %, for players of all kinds.
import Fixtures
import Testing

@testable import Gestures

@Suite("Sensitivity")
struct SensitivityTests {
  /// Profiles of players drawn from a wide range, each valid as calibrated.
  static let profiles: [Profile] = {
    var random = SeededRandom(seed: 7)
    return (0..<40).map { _ in
      var profile = Profile()
      profile.tilt.noise = .random(in: 0...0.9, using: &random)
      profile.tilt.left = side(profile.tilt, &random)
      profile.tilt.right = side(profile.tilt, &random)
      profile.purse.begin = .random(in: 0.05...0.999, using: &random)
      profile.purse.end = .random(in: 0.01...0.9, using: &random) * profile.purse.begin
      return profile
    }
  }()

  private static func side(_ tilt: TiltSettings, _ random: inout SeededRandom) -> TiltSettings.Side {
    var side = TiltSettings.Side()
    let reach = tilt.smallestBegin / 0.75
    side.extent = .random(in: 5...45, using: &random)
    side.full = .random(in: reach...side.extent, using: &random)
    side.begin = .random(in: tilt.smallestBegin...(0.75 * side.full), using: &random)
    side.end = .random(in: 0...side.begin, using: &random)
    return side
  }

  static let levels = stride(from: 0.0, through: 100, by: 5).map { Sensitivity(tilt: $0, purse: $0) }

  /// The profile at every level, least sensitive first.
  private func levels(of profile: Profile) -> [Profile] {
    Self.levels.map { level in
      var profile = profile
      profile.sensitivity = level
      return profile
    }
  }

  private func sides(_ profile: Profile) -> [TiltSettings.Side] {
    [profile.effectiveTilt.left, profile.effectiveTilt.right]
  }

  @Test("The players drawn are ones whose profile can be saved")
  func drawn() throws {
    for profile in Self.profiles { try profile.validate() }
  }

  @Test("At 50 % the recognisers judge by the calibrated point itself")
  func middle() {
    for profile in Self.profiles {
      #expect(profile.effectiveTilt == profile.tilt && profile.effectivePurse == profile.purse)
    }
  }

  @Test("More sensitivity never asks for a larger gesture, and a whole range more asks for a smaller one")
  func monotone() {
    for profile in Self.profiles {
      let levels = levels(of: profile)
      for (less, more) in zip(levels, levels.dropFirst()) {
        for (less, more) in zip(sides(less), sides(more)) {
          #expect(less.begin >= more.begin && less.end >= more.end && less.full >= more.full)
        }
        #expect(less.effectivePurse.begin >= more.effectivePurse.begin)
        #expect(less.effectivePurse.end >= more.effectivePurse.end)
      }
      #expect(levels.first!.effectivePurse.begin > levels.last!.effectivePurse.begin)
    }
    let presets = levels(of: Profile())
    #expect(presets.first!.effectiveTilt.left.begin > 2 * presets.last!.effectiveTilt.left.begin)
  }

  @Test("At every level a tilt begins out of the noise and full speed is within the extent")
  func tiltEnds() {
    for profile in Self.profiles {
      for level in levels(of: profile) {
        for side in sides(level) {
          #expect(side.begin >= max(1, 4 * profile.tilt.noise))
          #expect(side.begin <= 0.75 * side.full + 1e-9 && side.full <= side.extent)
          #expect(side.end <= side.begin)
        }
      }
    }
  }

  @Test("At every level the player's greatest comfortable tilt steers fully, either side")
  func reachable() {
    for profile in Self.profiles {
      for level in levels(of: profile) {
        var tilt = TiltRecognizer(settings: level.effectiveTilt)
        _ = tilt.update(roll: -profile.tilt.left.extent, yaw: 0)
        #expect(tilt.steering(roll: -profile.tilt.left.extent) == -1)
        _ = tilt.update(roll: profile.tilt.right.extent, yaw: 0)
        #expect(tilt.steering(roll: profile.tilt.right.extent) == 1)
      }
    }
  }

  @Test("At every level the purse thresholds are scores that can be passed both ways, with the hysteresis calibrated")
  func purseEnds() {
    for profile in Self.profiles {
      for level in levels(of: profile) {
        let purse = level.effectivePurse
        #expect(purse.end > 0 && purse.end < purse.begin && purse.begin <= 0.9995)
        let ratio = odds(purse.begin) / odds(purse.end)
        #expect(abs(ratio / (odds(profile.purse.begin) / odds(profile.purse.end)) - 1) < 1e-6)
      }
    }
  }

  private func odds(_ score: Double) -> Double { score / (1 - score) }
}
