// Test support: a player made of numbers, who sees the game late and answers with a face.
import FaceGeometry
import Fixtures
import GameEngine
import Gestures
import Glibc

@testable import CosmicAdventure

/// Closes the whole loop: what the game looked like 100 ms ago → tilt and lips, at the speed of a neck and a mouth →
/// noisy landmarks, 30 a second → recogniser → events → game.
struct Bot {
  struct Constants {
    /// Ticks from seeing to acting: 100 ms.
    static let reaction = 12
    /// Ticks of a camera frame: 30 fps.
    static let frame = 4
    /// Degrees a second.
    static let neckSpeed = 150.0
    /// Pixels of noise on each landmark, as MediaPipe's jitter on a still face.
    static let noise: Float = 0.12
    /// Frames that a purse is held, and that the mouth rests after one.
    static let purse = 8
    static let rest = 5
  }

  private(set) var run: GameRun
  private var recognizer = GestureRecognizer(profile: Profile())
  private var random: SeededRandom
  private let purseJitter: Int
  /// Noise for one landmark each, drawn on from a random place for every frame.
  private var jitter: [SIMD3<Float>] = []
  private var seen: [Game] = []
  private var roll = 0.0
  private var pursedFrames = 0
  private var restFrames = 0
  private var delay: Int?
  private var frame = 0

  /// `purseJitter`: frames by which a purse may come early or late.
  init(level: Level, seed: UInt64, purseJitter: Int) {
    run = GameRun(level: level)
    random = SeededRandom(seed: seed)
    self.purseJitter = purseJitter
    jitter = (0..<1009).map { _ in
      Constants.noise * SIMD3(Self.gaussian(&random), Self.gaussian(&random), Self.gaussian(&random))
    }
  }

  /// Plays to the end, or to this many seconds.
  mutating func play(seconds: Int) {
    // The neutral is found before the game begins, as in the countdown.
    for _ in 0..<90 { show(SyntheticFace()) }
    while run.game.outcome == nil, run.game.tick < seconds * FixedStep.rate {
      if run.game.tick % Constants.frame == 0 {
        seen.append(run.game)
        let late = seen.count - 1 - Constants.reaction / Constants.frame
        show(face(answering: seen[max(late, 0)]))
        if seen.count > 8 { seen.removeFirst() }
      }
      run.step()
    }
  }

  private mutating func show(_ face: SyntheticFace) {
    let start = Int.random(in: 0..<jitter.count, using: &random)
    let points = face.landmarks.points.enumerated().map { index, point in
      point + jitter[(start + index) % jitter.count]
    }
    let observation = FaceObservation(
      frameIndex: frame, timestamp: Int64(frame) * 1_000_000_000 / 30, confidence: 1,
      landmarks: FaceLandmarks(points))
    frame += 1
    for event in recognizer.process(observation).1 { run.take(event.event) }
  }

  /// The tilt that steers so at medium; see `TiltSettings`.
  private static func degrees(steering: Double) -> Double {
    let tilt = TiltSettings()
    guard steering != 0 else { return 0 }
    let side = steering < 0 ? tilt.left : tilt.right
    let degrees = side.begin + (side.full - side.begin) * pow(abs(steering), 1 / tilt.curve)
    return steering < 0 ? -degrees : degrees
  }

  /// A sum of twelve: near enough to a Gaussian of deviation 1.
  private static func gaussian(_ random: inout SeededRandom) -> Float {
    (0..<12).reduce(-6) { sum, _ in sum + Float.random(in: 0..<1, using: &random) }
  }

  private mutating func face(answering game: Game) -> SyntheticFace {
    let plan = Plan(game)
    let step = Constants.neckSpeed / 30
    roll += min(max(Self.degrees(steering: plan.steering) - roll, -step), step)
    if plan.jumps, delay == nil, pursedFrames == 0, restFrames == 0 {
      delay = purseJitter == 0 ? 0 : purseJitter + Int.random(in: -purseJitter...purseJitter, using: &random)
    }
    if let frames = delay {
      delay = frames > 0 ? frames - 1 : nil
      if frames == 0 { pursedFrames = Constants.purse }
    }
    var face = pursedFrames > 0 ? SyntheticFace.pursed : SyntheticFace()
    face.roll = roll
    if pursedFrames > 0 {
      pursedFrames -= 1
      if pursedFrames == 0 { restFrames = Constants.rest }
    } else {
      restFrames = max(restFrames - 1, 0)
    }
    return face
  }
}

/// What a patient player would do now: walk to where the jump begins, jump, steer to the next platform's middle.
private struct Plan {
  var steering = 0.0
  var jumps = false

  init(_ game: Game) {
    let body = game.world.bodies[0]
    let platforms = game.world.platforms
    let safe = game.players[0].safePlatform
    guard safe < game.level.goal else { return }
    let (here, next) = (platforms[body.support ?? safe], platforms[safe + 1])
    // Where the body would come to rest if the head came back now.
    let ahead = body.foot.x + body.velocity.x * 0.25
    guard body.support != nil else {
      steering = Self.steering(over: next.x - ahead, within: 60)
      // The second jump at the top of the first where one is not enough, or to be saved by it.
      let isHigh = next.top - here.top > 150
      jumps = body.velocity.y < (isHigh ? 150 : -150) && body.foot.y < next.top + (isHigh ? 0 : 20)
      return
    }
    // As near to the next platform as can be stood on safely.
    let reach = max(here.width / 2 - 25, 0)
    let way = min(max(next.x, here.x - reach), here.x + reach) - ahead
    jumps = abs(way) < 15 && abs(body.velocity.x) < 60
    steering = jumps ? Self.steering(over: next.x - ahead, within: 60) : Self.steering(over: way, within: 150)
  }

  /// None when it is near enough, else the more the farther.
  private static func steering(over way: Double, within full: Double) -> Double {
    abs(way) < 10 ? 0 : min(max(way / full, -1), 1)
  }
}
