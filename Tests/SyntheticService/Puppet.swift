// A player made of numbers who does at once what lines say: "roll -20", "purse 1", "talk 1", "smile 0", "face 0".
import Fixtures

/// The face moves there as fast as a neck and lips can, frame by frame at 30 a second.
struct Puppet {
  struct Constants {
    static let rate = 30.0
    /// Degrees a second, as of the bot that plays the levels.
    static let neckSpeed = 150.0
    /// Seconds from lips at rest to a firm purse.
    static let purseTime = 0.1
  }

  private var wanted = ["face": 1.0]
  private var roll = 0.0
  private var purse = 0.0
  private var talkedFrames = 0
  private var player = SimulatedPlayer()

  mutating func follow(_ line: String) {
    let words = line.split(separator: " ")
    guard words.count == 2, let value = Double(words[1]) else { return }
    wanted[String(words[0])] = value
  }

  /// The next frame's; `nil` while the player is out of the picture.
  mutating func face() -> SyntheticFace? {
    roll = Self.step(from: roll, to: wanted["roll"], by: Constants.neckSpeed / Constants.rate)
    purse = Self.step(from: purse, to: wanted["purse"], by: 1 / (Constants.purseTime * Constants.rate))
    talkedFrames = wanted["talk"] == 1 ? talkedFrames + 1 : 0
    guard wanted["face"] == 1 else { return nil }
    var face = SyntheticFace()
    face.roll = roll
    face.purse(purse)
    face.talk(Double(talkedFrames) / Constants.rate)
    if wanted["smile"] == 1 { face.smile() }
    player.tremble(&face)
    return face
  }

  private static func step(from value: Double, to wanted: Double?, by most: Double) -> Double {
    value + min(max((wanted ?? 0) - value, -most), most)
  }
}
