// The game's world as pixels: pure, for any size.
import CosmicAdventure
import FacePlayService
import GameEngine
import Glibc

/// What the camera of one player sees, from wall to wall.
struct GamePicture {
  private let game: Game
  private let viewer: Int
  private let level: Level
  /// Pixels a point.
  private let scale: Double
  private(set) var pixels: PixelGrid

  private enum Paint {
    static let spaceLow = Colour(16, 24, 58)
    static let spaceHigh = Colour(44, 14, 62)
    static let wall = Colour(52, 60, 96)
    static let platform = Colour(118, 140, 190)
    static let safe = Colour(92, 214, 140)
    static let goal = Colour(250, 204, 92)
    static let monster = Colour(214, 40, 108)
    static let deep = Colour(70, 6, 52)
    static let suit = Colour(236, 240, 248)
    static let pack = Colour(150, 162, 186)
    static let visors = [Colour(64, 170, 255), Colour(255, 150, 64)]
    static let flame = Colour(255, 176, 46)
    static let hull = Colour(184, 196, 216)
    static let dome = Colour(120, 226, 240)
    static let white = Colour(255, 255, 255)
  }

  private enum Size {
    /// Points: what is drawn of a platform and a player; bodies are narrower, so that edges forgive.
    static let platform = 16.0
    static let playerWidth = 46.0
    static let ship = Vector(x: 170, y: 90)
    /// Points between stars, more or less, and how much slower than the world they go by.
    static let stars = 44.0
    static let parallax = 0.35
  }

  /// How wide a picture of this height is, pixels.
  static func width(height: Int, level: Level) -> Int {
    Int((2 * level.halfWidth * Double(height) / Camera.Constants.height).rounded())
  }

  init(_ game: Game, viewer: Int, height: Int) {
    self.game = game
    self.viewer = viewer
    level = game.level
    scale = Double(height) / Camera.Constants.height
    pixels = PixelGrid(width: Self.width(height: height, level: game.level), height: height)
    drawSpace()
    drawShip()
    drawPlatforms()
    for index in game.players.indices.reversed() { drawPlayer(index) }
    drawMonster()
  }

  private var camera: Camera { game.players[viewer].camera }
  private func column(_ x: Double) -> Int { Int((x * scale + Double(pixels.width) / 2).rounded()) }
  private func row(_ y: Double) -> Int { Int(((camera.top - y) * scale).rounded()) }

  /// The point in the middle of a pixel.
  private func point(_ column: Int, _ row: Int) -> Vector {
    Vector(
      x: (Double(column) + 0.5 - Double(pixels.width) / 2) / scale, y: camera.top - (Double(row) + 0.5) / scale)
  }

  private mutating func drawSpace() {
    let height = level.platforms[level.goal].top
    for y in 0..<pixels.height {
      let share = point(0, y).y / max(height, 1)
      pixels.fill(0..<pixels.width, y..<(y + 1), Paint.spaceLow.mixed(Paint.spaceHigh, share))
    }
    // One star to a tile of the sky, at a place that its number gives.
    let bottom = camera.bottom * Size.parallax
    let tile = Size.stars
    let lowest = Int((bottom / tile).rounded(.down))
    for row in lowest...(lowest + Int(Camera.Constants.height / tile) + 1) {
      for column in -Int(level.halfWidth / tile) - 1...Int(level.halfWidth / tile) {
        let seed = UInt64(bitPattern: Int64(row &* 7919 &+ column)) &* 0x9e37_79b9_7f4a_7c15
        let (right, up) = (Double(seed >> 40 & 255) / 256, Double(seed >> 48 & 255) / 256)
        // Few levels, so that most of the sky is the same from frame to frame: that is cheap over a slow line.
        let twinkle = 0.4 + 0.15 * (sin(Double(game.tick) / 60 + Double(seed >> 32 & 63)) * 1.5).rounded()
        let star = Vector(x: (Double(column) + right) * tile, y: (Double(row) + up) * tile - bottom + camera.bottom)
        let (x, y) = (self.column(star.x), self.row(star.y))
        pixels[x, y] = pixels[x, y].mixed(Paint.white, twinkle * Double(seed >> 56 & 3) / 3)
      }
    }
  }

  private mutating func drawPlatforms() {
    for (index, platform) in level.platforms.enumerated() {
      let paint =
        index == level.goal ? Paint.goal : index == game.players[viewer].safePlatform ? Paint.safe : Paint.platform
      let top = row(platform.top)
      let bottom = max(row(platform.top - Size.platform), top + 1)
      let columns =
        column(
          platform.x - platform.width / 2)..<max(
          column(platform.x + platform.width / 2), column(platform.x - platform.width / 2) + 1)
      for y in top..<bottom {
        pixels.fill(columns, y..<(y + 1), paint.mixed(.black, 0.55 * Double(y - top) / Double(bottom - top)))
      }
    }
    pixels.fill(0..<1, 0..<pixels.height, Paint.wall)
    pixels.fill((pixels.width - 1)..<pixels.width, 0..<pixels.height, Paint.wall)
  }

  /// A saucer over the goal.
  private mutating func drawShip() {
    let goal = level.platforms[level.goal]
    let middle = Vector(x: goal.x, y: goal.top + 95 + 5 * sin(Double(game.tick) / 50))
    let beat = game.tick / 30
    paint(middle, Size.ship.x / 2, Size.ship.y / 2) { across, up in
      if across * across + pow((up + 0.15) / 0.4, 2) < 1 {
        let isLight = up < -0.05 && (Int((across + 1) * 6) + beat) % 2 == 0
        return isLight ? Paint.goal : Paint.hull.mixed(.black, 0.3 - up * 0.5)
      }
      return pow(across / 0.45, 2) + pow((up - 0.1) / 0.8, 2) < 1 && up > 0 ? Paint.dome : nil
    }
  }

  /// An astronaut who leans where it goes, stretches in flight and is squashed on landing.
  private mutating func drawPlayer(_ index: Int) {
    let (body, player) = (game.world.bodies[index], game.players[index])
    if game.isInvulnerable(index), game.tick / 8 % 2 == 0 { return }
    // Not at the start, where nobody came down, and not for ever when the game stands still.
    let isSquashed = game.tick > 14 && game.outcome == nil
    let landing = isSquashed ? max(0, 1 - Double(game.tick - player.landedAt) / 14) : 0
    let stretch =
      body.support == nil ? min(abs(body.velocity.y) / 5000, 0.16) : -0.22 * landing
    let height = body.height * (1 + stretch)
    let lean = body.velocity.x / 300 * 0.3
    let visor = Paint.visors[index % Paint.visors.count]
    let foot = Vector(x: body.foot.x, y: camera.top - Double(row(body.foot.y)) / scale)
    let fade = index == viewer ? 0 : 0.5
    paint(Vector(x: foot.x, y: foot.y + height / 2), Size.playerWidth / 2 * (1 - stretch), height / 2) { across, up in
      let across = across - lean * (up + 1) / 2
      let colour: Colour? =
        if pow(across / 0.85, 2) + pow((up - 0.42) / 0.58, 2) < 1 {
          pow((across - lean) / 0.6, 2) + pow((up - 0.42) / 0.34, 2) < 1 ? visor : Paint.suit
        } else if up < 0.1, up > -0.62, abs(across) < 0.65 {
          up < -0.1 && abs(across) > 0.4 ? Paint.pack : Paint.suit
        } else if up <= -0.55, abs(across) > 0.08, abs(across) < 0.6 {
          Paint.pack
        } else {
          nil
        }
      return colour?.mixed(Paint.spaceLow, fade)
    }
    drawFlame(under: foot, player)
  }

  /// For a quarter of a second after each take-off, longer after the second.
  private mutating func drawFlame(under foot: Vector, _ player: Player) {
    let length = player.isDoubleJumping ? 45 : 24
    let age = game.tick - player.jumpedAt
    guard player.jumpedAt > player.landedAt, age < length else { return }
    let share = 1 - Double(age) / Double(length)
    paint(Vector(x: foot.x, y: foot.y - 14 * share), 13 * share + 4, 16 * share) { across, up in
      abs(across) < 0.5 + 0.5 * up ? Paint.flame.mixed(Paint.monster, -up) : nil
    }
  }

  /// A flood with waves and eyes that look for the player.
  private mutating func drawMonster() {
    let top = game.monsterTop(of: viewer)
    let time = Double(game.tick) / 30
    for x in 0..<pixels.width {
      let place = point(x, 0).x
      let wave = 5 * sin(place / 23 + time) + 3 * sin(place / 11 - 1.7 * time) - 8
      let start = max(row(top + wave), 0)
      guard start < pixels.height else { continue }
      for y in start..<pixels.height {
        let depth = Double(y - start) / (90 * scale)
        pixels[x, y] = Paint.monster.mixed(Paint.deep, depth)
      }
      pixels[x, start] = Paint.monster.mixed(Paint.white, 0.25)
    }
    let body = game.world.bodies[viewer]
    let middle = body.foot.x * 0.5
    let look = min(max((body.foot.x - middle) / 60, -1), 1)
    for side in [-1.0, 1] {
      paint(Vector(x: middle + side * 42, y: top - 38), 21, 21) { across, up in
        guard across * across + up * up < 1 else { return nil }
        return pow(across - look * 0.4, 2) + pow(up - 0.35, 2) < 0.2 ? .black : Paint.white
      }
    }
  }

  /// Colours each pixel of a box by where it lies in it: −1…1 to the right and up.
  private mutating func paint(
    _ middle: Vector, _ halfWidth: Double, _ halfHeight: Double, _ colour: (Double, Double) -> Colour?
  ) {
    let columns = column(middle.x - halfWidth)..<max(column(middle.x + halfWidth), column(middle.x - halfWidth))
    let rows = row(middle.y + halfHeight)..<max(row(middle.y - halfHeight), row(middle.y + halfHeight))
    for y in rows.clamped(to: 0..<pixels.height) {
      for x in columns.clamped(to: 0..<pixels.width) {
        let place = point(x, y)
        if let colour = colour((place.x - middle.x) / halfWidth, (place.y - middle.y) / halfHeight) {
          pixels[x, y] = colour
        }
      }
    }
  }
}
