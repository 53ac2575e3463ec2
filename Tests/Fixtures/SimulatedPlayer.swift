// A player made of numbers, who does what a calibration asks.
import Calibration
import FaceGeometry
import Glibc

/// How far, how steadily and how clearly a player can.
public struct SimulatedPlayer: Sendable {
  /// Degrees from the player's rest to each side.
  public var extentLeft = 25.0
  public var extentRight = 25.0
  /// Degrees; where the head rests.
  public var restingRoll = 0.0
  /// Degrees RMS of the measured roll, frame by frame.
  public var rollNoise = 0.2
  /// RMS of the lips' measures as a share of themselves.
  public var lipNoise = 0.005
  /// How pursed the lips are at rest, 0…1 of a firm purse.
  public var restingPurse = 0.0
  /// How far a purse goes on the way from rest to a firm one, 0…1.
  public var purseStrength = 1.0
  /// How far talk rounds the lips on the way from rest to a firm purse, 0…1.
  public var talkOverlap = 0.2
  /// Degrees by which a purse rolls the head.
  public var purseRoll = 0.0
  private var noise: SeededRandom

  public init(seed: UInt64 = 1) { noise = SeededRandom(seed: seed) }

  /// Anyone: 5–45° a side, steady or trembling, any lips.
  public static func drawn(seed: UInt64) -> SimulatedPlayer {
    var draw = SeededRandom(seed: seed)
    var player = SimulatedPlayer(seed: draw.next())
    func within(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &draw) }
    player.extentLeft = within(5...45)
    player.extentRight = within(5...45)
    player.restingRoll = within(-8...8)
    player.rollNoise = exp(within(log(0.05)...log(2)))
    player.lipNoise = exp(within(log(0.002)...log(0.03)))
    player.restingPurse = within(0...0.5)
    player.purseStrength = within(0.4...1)
    player.talkOverlap = within(0...1) * player.purseStrength
    player.purseRoll = within(-3...3)
    return player
  }

  /// The face a while after being asked: seconds.
  public mutating func face(_ activity: Activity, after time: Double) -> SyntheticFace {
    var face = SyntheticFace()
    let asked = max(time - 0.4, 0)
    let pursed = purse(activity, asked)
    let purse = restingPurse + (1 - restingPurse) * pursed
    face.roll = restingRoll + tilt(activity) * min(asked / 0.4, 1) + purseRoll * pursed
    face.purse(purse)
    if activity == .talk { face.talk(asked) }
    if activity == .smile { face.smile() }
    tremble(&face)
    return face
  }

  /// What a tracker's noise does to a face.
  public mutating func tremble(_ face: inout SyntheticFace) {
    face.roll += noise.normal(rollNoise)
    face.widthOverNose *= 1 + noise.normal(lipNoise)
    face.upperThickness *= 1 + noise.normal(lipNoise)
    face.lowerThickness *= 1 + noise.normal(lipNoise)
    face.innerGap += abs(noise.normal(lipNoise)) * 0.1
  }

  private func tilt(_ activity: Activity) -> Double {
    switch activity {
    case .tiltLeft, .tiltLeftAndPurse: -extentLeft
    case .tiltRight, .tiltRightAndPurse: extentRight
    case .rest, .purse, .talk, .smile: 0
    }
  }

  /// 0…1: half a second of purse every one and a half, or what speech makes of it.
  private func purse(_ activity: Activity, _ time: Double) -> Double {
    switch activity {
    case .purse, .tiltLeftAndPurse, .tiltRightAndPurse:
      let phase = time.truncatingRemainder(dividingBy: 1.5) - 0.8
      return phase < 0 || phase > 0.5 ? 0 : purseStrength * min(phase / 0.1, (0.5 - phase) / 0.1, 1)
    case .talk: return talkOverlap * max(sin(time * 2 * .pi * 1.3), 0)
    case .rest, .tiltLeft, .tiltRight, .smile: return 0
    }
  }
}
