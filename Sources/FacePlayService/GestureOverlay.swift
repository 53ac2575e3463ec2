// What a recording shows over its pictures: landmarks and meters.
import FaceGeometry
import VideoEncoding

/// Lengths are shares of the picture's height unless said.
struct GestureOverlay {
  private struct Layout {
    static let margin = 0.03
    static let meterHeight = 0.02
    /// Of the width.
    static let meterWidth = 0.3
    static let dot = 0.004
    /// Degrees of roll at a meter's end.
    static let fullRoll = 30.0
    /// Nanoseconds for which a jump is shown.
    static let jumpTime: Int64 = 250_000_000
  }

  private struct Palette {
    static let track = I420Picture.Colour(luma: 40, blue: 128, red: 128)
    static let middle = I420Picture.Colour(luma: 200, blue: 128, red: 128)
    static let idle = I420Picture.Colour(luma: 150, blue: 160, red: 100)
    static let active = I420Picture.Colour(luma: 180, blue: 50, red: 140)
    static let jump = I420Picture.Colour(luma: 120, blue: 100, red: 220)
    static let landmark = I420Picture.Colour(luma: 220, blue: 80, red: 90)
  }

  private let status: LiveStatus
  private let landmarks: FaceLandmarks?
  /// Pixels of the frame that the landmarks were found in.
  private let frameWidth: Int

  init(_ status: LiveStatus, landmarks: FaceLandmarks?, frameWidth: Int) {
    self.status = status
    self.landmarks = landmarks
    self.frameWidth = frameWidth
  }

  /// From the bottom up: roll, steering, purse. As the picture is not mirrored, the player's right is on its left.
  func paint(on picture: inout I420Picture) {
    paintLandmarks(on: &picture)
    let signals = status.state?.signals
    let tilt = status.tilt == nil ? Palette.idle : Palette.active
    paintMeter(0, from: 0.5, to: 0.5 - (signals?.roll ?? 0) / Layout.fullRoll / 2, tilt, on: &picture)
    paintMeter(1, from: 0.5, to: 0.5 - (status.state?.horizontal ?? 0) / 2, tilt, on: &picture)
    let purse = status.isPursing ? Palette.active : Palette.idle
    paintMeter(2, from: 0, to: signals?.purse ?? 0, purse, on: &picture)
    paintJump(on: &picture)
  }

  private func paintLandmarks(on picture: inout I420Picture) {
    guard let landmarks else { return }
    let scale = Float(picture.width) / Float(frameWidth)
    let dot = max(Int(Layout.dot * Double(picture.height)), 2)
    let reach = Float(frameWidth * 2)
    for point in landmarks.points where abs(point.x) < reach && abs(point.y) < reach {
      let (x, y) = (Int(point.x * scale), Int(point.y * scale))
      picture.fill(x: x..<x + dot, y: y..<y + dot, with: Palette.landmark)
    }
  }

  /// Shares of the meter's width.
  private func paintMeter(
    _ row: Int, from start: Double, to end: Double, _ colour: I420Picture.Colour, on picture: inout I420Picture
  ) {
    let height = max(Int(Layout.meterHeight * Double(picture.height)), 2)
    let left = Int(Layout.margin * Double(picture.height))
    let width = max(Int(Layout.meterWidth * Double(picture.width)), 2)
    let top = picture.height - left - height - row * height * 2
    func column(_ share: Double) -> Int { left + Int(min(max(share, 0), 1) * Double(width)) }
    let rows = top..<top + height
    picture.fill(x: left..<left + width, y: rows, with: Palette.track)
    picture.fill(x: column(min(start, end))..<column(max(start, end)), y: rows, with: colour)
    picture.fill(x: column(start)..<column(start) + 2, y: rows, with: Palette.middle)
  }

  /// A square above the meters: one for a jump, two for a double jump.
  private func paintJump(on picture: inout I420Picture) {
    guard let jump = status.lastJump, case .jump(let count) = jump.event, let now = status.state?.timestamp,
      now - jump.timestamp < Layout.jumpTime
    else { return }
    let side = max(Int(Layout.meterHeight * Double(picture.height)) * 2, 2)
    let left = Int(Layout.margin * Double(picture.height))
    let top = picture.height - left - side * 5
    for index in 0..<min(count, 2) {
      let start = left + index * side * 2
      picture.fill(x: start..<start + side, y: top..<top + side, with: Palette.jump)
    }
  }
}
