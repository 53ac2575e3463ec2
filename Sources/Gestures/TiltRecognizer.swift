// Head tilt to steering, with hysteresis at the dead zone's edge.
import Glibc

/// Steps on the filtered roll relative to the neutral.
struct TiltRecognizer: Sendable {
  struct Constants {
    /// Degrees of yaw from neutral beyond which no tilt begins: the mesh's roll is 4° off at 20–30° of yaw.
    static let greatestYaw = 22.0
  }

  /// May change amid a tilt, which then ends by the new angles, told as it began.
  var settings: TiltSettings
  /// The head's own side, and the direction that was told: the other one where settings are inverted.
  private var tilted: (side: Direction, told: Direction)?
  /// The tilt that is under way, as told.
  var active: Direction? { tilted?.told }

  init(settings: TiltSettings) {
    self.settings = settings
  }

  /// What began and ended, in order. `roll` and `yaw` are degrees from neutral.
  mutating func update(roll: Double, yaw: Double) -> [(Phase, Direction)] {
    var changes: [(Phase, Direction)] = []
    if let (side, told) = tilted, roll * side.sign < settings[side].end {
      tilted = nil
      changes.append((.end, told))
    }
    let side: Direction = roll > 0 ? .right : .left
    if tilted == nil, abs(roll) >= settings[side].begin, abs(yaw) <= Constants.greatestYaw {
      let told = settings.isInverted ? side.opposite : side
      tilted = (side, told)
      changes.append((.begin, told))
    }
    return changes
  }

  /// Lets go; the direction that was held.
  mutating func release() -> Direction? {
    defer { tilted = nil }
    return active
  }

  /// −1…1: 0 at the dead zone's edge, ±1 from full speed's angle on.
  func steering(roll: Double) -> Double {
    guard let (side, told) = tilted else { return 0 }
    let settings = settings[side]
    let share = (roll * side.sign - settings.begin) / (settings.full - settings.begin)
    return told.sign * pow(min(max(share, 0), 1), self.settings.curve)
  }
}

extension TiltSettings {
  subscript(side: Direction) -> Side { side == .left ? left : right }
}

extension Direction {
  var sign: Double { self == .right ? 1 : -1 }
  var opposite: Direction { self == .right ? .left : .right }
}
