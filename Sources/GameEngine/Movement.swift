// How bodies speed up, brake and fall: exact over any step.

/// Rates of change, never shares a frame, so that a path does not depend on the step: within a step the velocity is
/// followed from one change of acceleration to the next and the distance is its exact integral.
///
/// Only + − × ÷ are used, which IEEE 754 rounds the same way everywhere: a run gives the same bits on every machine.
public struct Movement: Sendable, Equatable {
  /// Points a second²: from standing, back to standing, and against the way one goes.
  public struct Grip: Sendable, Equatable {
    public var start, brake, turn: Double

    public init(start: Double, brake: Double, turn: Double) {
      self.start = start
      self.brake = brake
      self.turn = turn
    }
  }

  /// Points a second at full steering. The game this project comes from has 340; a little less leaves slow necks time.
  public var topSpeed = 300.0
  /// Full speed in 0.15 s and to a stop in 0.1 s: a tilt that ends must not carry the player over an edge.
  public var onGround = Grip(start: 2000, brake: 3000, turn: 4200)
  /// In the air the player steers at two thirds of that and keeps way longer.
  public var inAir = Grip(start: 1400, brake: 900, turn: 2400)
  /// Points a second²: 0.5 s from the ground to the top of a jump.
  public var gravity = 1800.0
  /// Points a second of vertical speed below which gravity is weaker, and by how much: a moment to aim at the top.
  public var hangSpeed = 150.0
  public var hangGravity = 0.5
  /// Falling is faster than rising: weight without a lower jump.
  public var fallGravity = 1.5
  /// Points a second; gravity makes nobody faster.
  public var terminalSpeed = 900.0
  /// Points a second. 170 points high: one gap of 130, not two.
  public var jumpSpeed = 768.0
  /// Points a second. 150 points more: two gaps, not three.
  public var secondJumpSpeed = 719.0

  public init() {}

  /// Changes a horizontal velocity towards the steering's and returns the way made, points.
  func steer(_ velocity: inout Double, to steering: Double, grip: Grip, seconds: Double) -> Double {
    let target = steering * topSpeed
    var left = seconds
    var way = 0.0
    // Against the steering: first to a stop, then the other way.
    if velocity * target < 0 { way = Self.approach(&velocity, 0, grip.turn, &left) }
    let rate = abs(target) < abs(velocity) ? grip.brake : grip.start
    way += Self.approach(&velocity, target, rate, &left)
    return way + velocity * left
  }

  /// Changes a vertical velocity by gravity and returns the way made upwards, points.
  func fall(_ velocity: inout Double, seconds: Double) -> Double {
    var left = seconds
    var way = 0.0
    while left > 0, velocity > -terminalSpeed {
      let (edge, pull) =
        velocity > hangSpeed
        ? (hangSpeed, gravity)
        : velocity > -hangSpeed ? (-hangSpeed, gravity * hangGravity) : (-terminalSpeed, gravity * fallGravity)
      way += Self.approach(&velocity, edge, pull, &left)
    }
    return way + velocity * left
  }

  /// Goes from `velocity` to `target` at `rate` for as long as it takes or `left` allows; the way made meanwhile.
  private static func approach(
    _ velocity: inout Double, _ target: Double, _ rate: Double, _ left: inout Double
  ) -> Double {
    let needed = abs(target - velocity) / rate
    let start = velocity
    if needed <= left {
      velocity = target
      left -= needed
      return (start + target) / 2 * needed
    }
    velocity += target > start ? rate * left : -rate * left
    defer { left = 0 }
    return (start + velocity) / 2 * left
  }
}
