// Platforms, walls and bodies, moved a step at a time.

/// A value that depends on nothing but its steps: no clock, no randomness, everything in the order of the arrays.
public struct World: Sendable, Equatable {
  public let platforms: [Platform]
  /// x of the walls' inner sides, points.
  public let walls: ClosedRange<Double>
  public let movement: Movement
  public var bodies: [Body]
  public var hazards: [Hazard] = []

  public init(platforms: [Platform], walls: ClosedRange<Double>, movement: Movement = Movement(), bodies: [Body]) {
    self.platforms = platforms
    self.walls = walls
    self.movement = movement
    self.bodies = bodies
  }

  /// Moves everything on. The game steps by `FixedStep.seconds` and nothing else.
  public mutating func step(seconds: Double = FixedStep.seconds) {
    for index in bodies.indices { move(&bodies[index], seconds) }
  }

  /// Puts a body on a platform's middle, at rest.
  public mutating func place(_ body: Int, on platform: Int) {
    bodies[body].foot = Vector(x: platforms[platform].x, y: platforms[platform].top)
    bodies[body].velocity = .zero
    bodies[body].support = platform
  }

  private func move(_ body: inout Body, _ seconds: Double) {
    body.contacts = Body.Contacts()
    let start = body.foot
    let grip = body.support == nil ? movement.inAir : movement.onGround
    let right = movement.steer(&body.velocity.x, to: body.steering, grip: grip, seconds: seconds)
    body.foot.x = heldByWalls(start.x + right, &body)
    if body.support == nil {
      let up = movement.fall(&body.velocity.y, seconds: seconds)
      body.foot.y += up
      if up <= 0 { land(&body, from: start, right: right) }
    } else {
      keepGround(&body)
    }
    for hazard in hazards where body.touches.contains(hazard.category) && body.foot.y < hazard.top {
      body.contacts.isInHazard = true
    }
  }

  /// Stops at a wall, at any speed: nothing is ever on its other side.
  private func heldByWalls(_ x: Double, _ body: inout Body) -> Double {
    guard body.touches.contains(.wall) else { return x }
    let held = x.within(walls, width: body.width)
    guard held != x else { return x }
    body.contacts.isAtWall = true
    body.velocity.x = 0
    return held
  }

  /// The way down of this step, from `start` to where the body is now, against every platform's top: the first top that
  /// it reaches while it is over the platform holds it. What began the step below a top is never held by it.
  private func land(_ body: inout Body, from start: Vector, right: Double) {
    let end = body.foot.y
    var first: Int?
    for (index, platform) in platforms.enumerated() where platform.top <= start.y && platform.top >= end {
      if let first, platforms[first].top >= platform.top { continue }
      guard body.touches.contains(platform.category) else { continue }
      let share = start.y > end ? (start.y - platform.top) / (start.y - end) : 1
      let x = start.x + right * share
      guard platform.spans(body.touches.contains(.wall) ? x.within(walls, width: body.width) : x, width: body.width)
      else { continue }
      first = index
    }
    guard let first else { return }
    body.foot.y = platforms[first].top
    body.velocity.y = 0
    body.support = first
    body.contacts.landed = first
  }

  /// Over an edge the body stands no longer, unless the next platform begins right there.
  private func keepGround(_ body: inout Body) {
    guard let support = body.support, !platforms[support].spans(body.foot.x, width: body.width) else { return }
    body.support = platforms.firstIndex { platform in
      platform.top == body.foot.y && body.touches.contains(platform.category)
        && platform.spans(body.foot.x, width: body.width)
    }
    body.contacts.leftGround = body.support == nil
  }
}

extension Double {
  /// The place nearest to this one where something this wide is between the walls.
  fileprivate func within(_ walls: ClosedRange<Double>, width: Double) -> Double {
    Swift.min(Swift.max(self, walls.lowerBound + width / 2), walls.upperBound - width / 2)
  }
}
