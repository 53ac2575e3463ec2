// What is wrong with a profile that cannot work.

/// A setting that cannot work.
public struct ProfileProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// As a player finds it in the file, such as `tilt.left.end`.
  public let setting: String
  /// What it must be.
  public let rule: String
  public let value: Double

  public var description: String { "\(setting) is \(value), but must be \(rule)" }
}

extension Profile {
  /// Throws the first setting that cannot work. Where none is, a sensitivity of 50 % is the calibrated point and every
  /// other is safe and within reach.
  public func validate() throws(ProfileProblem) {
    try neutral?.validate()
    try tilt.validate()
    try require("purse.end", purse.end, "from 0.001 to 0.999") { $0 >= 0.001 && $0 <= 0.999 }
    try require("purse.begin", purse.begin, "above purse.end, at most 0.999") { [purse] in
      $0 > purse.end && $0 <= 0.999
    }
    try require("purse.hold", purse.hold, "from 0 to 0.5 seconds") { $0 >= 0 && $0 <= 0.5 }
    try require("jump.interval", jump.interval, "from 0 to 2 seconds") { $0 >= 0 && $0 <= 2 }
    for (setting, value) in [("sensitivity.tilt", sensitivity.tilt), ("sensitivity.purse", sensitivity.purse)] {
      try require(setting, value, "from 0 to 100 per cent") { Sensitivity.Constants.range.contains($0) }
    }
  }
}

extension TiltSettings {
  fileprivate func validate() throws(ProfileProblem) {
    try require("tilt.noise", noise, "from 0 to 10 degrees") { $0 >= 0 && $0 <= 10 }
    try require("tilt.curve", curve, "from 0.2 to 5") { $0 >= 0.2 && $0 <= 5 }
    for (name, side) in [("tilt.left", left), ("tilt.right", right)] { try validate(side, name) }
  }

  /// From the extent inwards: each setting is held against those before it.
  private func validate(_ side: Side, _ name: String) throws(ProfileProblem) {
    let share = Sensitivity.Constants.greatestBeginShare
    let reach = smallestBegin / share
    try require(
      "\(name).extent", side.extent, "at most 90 degrees and far enough out of the noise: at least \(reach)"
    ) { $0 >= reach && $0 <= 90 }
    try require("\(name).full", side.full, "from \(reach) degrees to \(name).extent") {
      $0 >= reach && $0 <= side.extent
    }
    try require("\(name).begin", side.begin, "from \(smallestBegin) to 60 degrees and 3/4 of \(name).full") {
      $0 >= smallestBegin && $0 <= min(60, share * side.full)
    }
    try require("\(name).end", side.end, "from 0 to \(name).begin") { $0 >= 0 && $0 <= side.begin }
  }
}

extension Neutral {
  fileprivate func validate() throws(ProfileProblem) {
    for (setting, angle) in [("neutral.roll", roll), ("neutral.yaw", yaw)] {
      try require(setting, angle, "from −90 to 90 degrees") { abs($0) <= 90 }
    }
    let shape = [
      ("widthOverNose", widthOverNose), ("upperThickness", upperThickness), ("lowerThickness", lowerThickness),
      ("middleDrop", middleDrop), ("noseToLip", noseToLip),
    ]
    for (setting, value) in shape { try require("neutral.\(setting)", value, "from −10 to 10") { abs($0) <= 10 } }
  }
}

/// No comparison holds of a NaN, so a rule made of them refuses it.
private func require(
  _ setting: String, _ value: Double, _ rule: String, _ holds: (Double) -> Bool
) throws(ProfileProblem) {
  guard holds(value) else { throw ProfileProblem(setting: setting, rule: rule, value: value) }
}
