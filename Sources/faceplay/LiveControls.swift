// What keys change in a live session: a value, stepped by keys.
import Gestures

struct LiveControls: Sendable, Equatable {
  /// Per cent a key moves a sensitivity by.
  static let step = 5.0

  private(set) var profile: Profile
  /// Whether the profile is the player's own, so that a save replaces it; otherwise it gets a name of its own.
  private(set) var isOwn: Bool
  private(set) var isPaused = false
  private(set) var hasChanges = false
  /// What the last key came to, for the player.
  private(set) var notice = ""

  /// What is to be done for a key.
  enum Effect: Equatable {
    case take(Profile)
    case recentre, pause, resume
    case save(Profile, replaces: Bool)
  }

  init(_ profile: Profile, isOwn: Bool) {
    self.profile = profile
    self.isOwn = isOwn
  }

  /// `nil` for a key that does nothing here.
  mutating func press(_ key: Key) -> Effect? {
    notice = ""
    switch key {
    case .tiltLess: return move(\.tilt, by: -Self.step)
    case .tiltMore: return move(\.tilt, by: Self.step)
    case .purseLess: return move(\.purse, by: -Self.step)
    case .purseMore: return move(\.purse, by: Self.step)
    case .recentre: return .recentre
    case .pause:
      isPaused.toggle()
      return isPaused ? .pause : .resume
    case .save: return .save(profile, replaces: isOwn)
    case .again, .skip: return nil
    }
  }

  /// `profile` is the one in force since then; `nil` when there was no face to take the centre from.
  mutating func recentred(_ profile: Profile?) {
    notice = profile == nil ? "no face to take the centre from" : "this posture is the centre now"
    guard let profile, profile != self.profile else { return }
    self.profile = profile
    hasChanges = true
  }

  /// `saved` went to the disk under the name it bears.
  mutating func saved(_ saved: Profile) {
    profile.name = saved.name
    isOwn = true
    hasChanges = profile != saved
    notice = "saved: --profile \(saved.name)"
  }

  mutating func failed(_ error: any Error) { notice = "\(error)" }

  /// A name for a profile made from a preset or a file: never one that is taken.
  static func name(for profile: Profile, taken: Set<String>) -> String {
    let name = "my-\(profile.name)"
    return taken.contains(name) ? (2...).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) }! : name
  }

  /// Lines of the view: what the keys are, and what the last one came to, on as many as it takes.
  func lines(width: Int) -> [String] {
    let indent = String(repeating: " ", count: 8)
    let room = max(width - indent.count - 1, 1)
    let cuts = stride(from: 0, to: max(notice.count, 1), by: room)
    let notices = cuts.map { indent + notice.dropFirst($0).prefix(room) }
    let keys =
      "keys    ← → tilt \(Self.percent(profile.sensitivity.tilt)) · ↓ ↑ purse \(Self.percent(profile.sensitivity.purse))"
      + " · c centre · space \(isPaused ? "go on" : "pause") · s save"
    return [keys] + notices
  }

  static func percents(_ sensitivity: Sensitivity) -> String {
    "tilt \(percent(sensitivity.tilt)) · purse \(percent(sensitivity.purse))"
  }

  private static func percent(_ value: Double) -> String { "\(number(value, 0)) %" }

  private mutating func move(_ gesture: WritableKeyPath<Sensitivity, Double>, by step: Double) -> Effect {
    let range = Sensitivity.Constants.range
    let moved = min(max(profile.sensitivity[keyPath: gesture] + step, range.lowerBound), range.upperBound)
    if moved != profile.sensitivity[keyPath: gesture] { hasChanges = true }
    profile.sensitivity[keyPath: gesture] = moved
    return .take(profile)
  }
}
