// Head tilt to steering, with hysteresis at the dead zone's edge.
import Glibc

/// Steps on the filtered roll relative to the neutral.
struct TiltRecognizer: Sendable {
  struct Constants {
    /// Degrees of yaw from neutral beyond which no tilt begins: the mesh's roll is 4° off at 20–30° of yaw.
    static let greatestYaw = 22.0
  }

  let settings: TiltSettings
  /// The tilt that is under way.
  private(set) var active: Direction?

  init(settings: TiltSettings) {
    self.settings = settings
  }

  /// What began and ended, in order. `roll` and `yaw` are degrees from neutral.
  mutating func update(roll: Double, yaw: Double) -> [(Phase, Direction)] {
    var changes: [(Phase, Direction)] = []
    if let direction = active, roll * direction.sign < settings.end {
      active = nil
      changes.append((.end, direction))
    }
    if active == nil, abs(roll) >= settings.begin, abs(yaw) <= Constants.greatestYaw {
      let direction: Direction = roll > 0 ? .right : .left
      active = direction
      changes.append((.begin, direction))
    }
    return changes
  }

  /// Lets go; the direction that was held.
  mutating func release() -> Direction? {
    defer { active = nil }
    return active
  }

  /// −1…1: 0 at the dead zone's edge, ±1 from the player's full extent on.
  func steering(roll: Double) -> Double {
    guard let direction = active else { return 0 }
    let full = direction == .left ? settings.fullLeft : settings.fullRight
    let share = (roll * direction.sign - settings.begin) / max(full - settings.begin, 1)
    return direction.sign * pow(min(max(share, 0), 1), settings.curve)
  }
}

extension Direction {
  var sign: Double { self == .right ? 1 : -1 }
}
