// The settings that the page shows and changes.

/// All are optional: a change names only what changes, an answer names all.
public struct PageSettings: Sendable, Equatable, Codable {
  /// Of the picture-in-picture of the player.
  public enum PictureSize: String, Sendable, Codable {
    case small, medium, large
  }

  /// Whom the player plays; the page draws them.
  public enum Character: String, Sendable, Codable, CaseIterable {
    case nova, luna, momo, pico
  }

  /// Per cent, 0…100; as in `Gestures.Sensitivity`.
  public struct Sensitivity: Sendable, Equatable, Codable {
    public var tilt: Double?
    public var purse: Double?

    public init(tilt: Double? = nil, purse: Double? = nil) {
      self.tilt = tilt
      self.purse = purse
    }
  }

  /// What the player is called: 1 to 24 characters that can be seen.
  public var nickname: String?
  public var character: Character?
  public var sensitivity: Sensitivity?
  /// Exponent of the steering curve, 0.2…5.
  public var curve: Double?
  public var isInverted: Bool?
  public var allowsDouble: Bool?
  public var pictureSize: PictureSize?
  /// 0…1.
  public var volume: Double?
  /// The guide was seen and is not shown again.
  public var guideSeen: Bool?
  /// Only told, never changed: the profile's name, and what its gestures are judged by.
  public private(set) var profile: String?
  public private(set) var thresholds: Thresholds?

  public init() {}

  /// Of an answer.
  public init(profile: String, thresholds: Thresholds) {
    self.profile = profile
    self.thresholds = thresholds
  }

  /// Degrees from the neutral, and purse scores.
  public struct Thresholds: Sendable, Equatable, Codable {
    public struct Side: Sendable, Equatable, Codable {
      public let begin, end, full: Double

      public init(begin: Double, end: Double, full: Double) {
        self.begin = begin
        self.end = end
        self.full = full
      }
    }

    public struct Tilt: Sendable, Equatable, Codable {
      public let left, right: Side
    }

    public struct Purse: Sendable, Equatable, Codable {
      public let begin, end: Double
    }

    public let tilt: Tilt
    public let purse: Purse

    public init(left: Side, right: Side, purseBegin: Double, purseEnd: Double) {
      tilt = Tilt(left: left, right: right)
      purse = Purse(begin: purseBegin, end: purseEnd)
    }
  }

  /// Returns itself without what is only told, or throws the first value outside its limits.
  func checked() throws(MessageProblem) -> PageSettings {
    _ = try nickname?.checkedNickname()
    _ = try sensitivity?.tilt?.checked("tilt", in: 0...100)
    _ = try sensitivity?.purse?.checked("purse", in: 0...100)
    _ = try curve?.checked("curve", in: 0.2...5)
    _ = try volume?.checked("volume", in: 0...1)
    var checked = self
    (checked.profile, checked.thresholds) = (nil, nil)
    return checked
  }
}
