// The settings that the page shows and changes.

/// All are optional: a change names only what changes, an answer names all.
public struct PageSettings: Sendable, Equatable, Codable {
  /// Of the picture-in-picture of the player.
  public enum PictureSize: String, Sendable, Codable {
    case small, medium, large
  }

  /// Gesture settings, named and meant as in `Gestures.Profile`; the profile checks how they go together.
  public struct Gestures: Sendable, Equatable, Codable {
    public var tiltBegin: Double?
    public var tiltEnd: Double?
    public var tiltFullLeft: Double?
    public var tiltFullRight: Double?
    public var tiltCurve: Double?
    public var purseBegin: Double?
    public var purseEnd: Double?

    public init() {}
  }

  /// What the player is called: 1 to 24 characters, no control characters.
  public var nickname: String?
  public var character: String?
  /// low, medium or high: replaces the gesture settings by the preset's.
  public var preset: String?
  public var gestures: Gestures?
  public var pictureSize: PictureSize?
  /// 0…1.
  public var volume: Double?
  /// The guide was seen and is not shown again.
  public var guideSeen: Bool?

  public init() {}

  /// Returns itself, or throws the first value outside its limits.
  func checked() throws(MessageProblem) -> PageSettings {
    if let nickname {
      let isPlain = nickname.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      guard (1...24).contains(nickname.count), nickname.utf8.count <= 256, isPlain else {
        throw MessageProblem(field: "nickname", rule: "1 to 24 characters")
      }
    }
    _ = try character?.checkedName("character")
    _ = try preset?.checkedName("preset")
    _ = try volume?.checked("volume", in: 0...1)
    try gestures?.check()
    return self
  }
}

extension PageSettings.Gestures {
  /// The widest ranges that `Profile.validate` may allow.
  fileprivate func check() throws(MessageProblem) {
    let angles = [
      ("tiltBegin", tiltBegin), ("tiltEnd", tiltEnd), ("tiltFullLeft", tiltFullLeft), ("tiltFullRight", tiltFullRight),
    ]
    for (field, angle) in angles { _ = try angle?.checked(field, in: 0...90) }
    _ = try tiltCurve?.checked("tiltCurve", in: 0.2...5)
    for (field, score) in [("purseBegin", purseBegin), ("purseEnd", purseEnd)] {
      _ = try score?.checked(field, in: 0...1)
    }
  }
}
