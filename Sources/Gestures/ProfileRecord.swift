// A profile as files and stream headers hold it, of this version and of those before.

/// The data of a profile, to be coded. Version 1, which had no version key, is read and migrated; what is written is
/// always the current version. Keys that are not known are passed over.
public struct ProfileRecord: Sendable, Equatable {
  public static let version = 2

  public let profile: Profile

  public init(_ profile: Profile) {
    self.profile = profile
  }

  /// A version that a newer faceplay wrote; thrown on decoding.
  public struct UnknownVersion: Error, Sendable, Equatable {
    public let version: Int
  }
}

extension ProfileRecord: Codable {
  private enum CodingKeys: CodingKey {
    case version, name, neutral, tilt, purse, jump, sensitivity
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let version = try fields.decodeIfPresent(Int.self, forKey: .version) ?? 1
    let name = try fields.decode(String.self, forKey: .name)
    switch version {
    case 1:
      let tilt = try fields.decode(FirstVersion.Tilt.self, forKey: .tilt)
      let purse = try fields.decode(FirstVersion.Purse.self, forKey: .purse)
      profile = Profile(name: name, tilt: TiltSettings(tilt), purse: PurseSettings(purse))
    case Self.version:
      profile = Profile(
        name: name,
        neutral: try fields.decodeIfPresent(Neutral.self, forKey: .neutral),
        tilt: TiltSettings(try fields.decode(Tilt.self, forKey: .tilt)),
        purse: PurseSettings(try fields.decode(Purse.self, forKey: .purse)),
        jump: JumpSettings(try fields.decode(Jump.self, forKey: .jump)),
        sensitivity: Gestures.Sensitivity(try fields.decode(Sensitivity.self, forKey: .sensitivity)))
    default: throw UnknownVersion(version: version)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(Self.version, forKey: .version)
    try fields.encode(profile.name, forKey: .name)
    try fields.encodeIfPresent(profile.neutral, forKey: .neutral)
    try fields.encode(Tilt(profile.tilt), forKey: .tilt)
    try fields.encode(Purse(profile.purse), forKey: .purse)
    try fields.encode(Jump(profile.jump), forKey: .jump)
    try fields.encode(Sensitivity(profile.sensitivity), forKey: .sensitivity)
  }
}

/// The parts' data, apart from the values they carry: those may change, files may not.
extension ProfileRecord {
  fileprivate struct Tilt: Codable {
    struct Side: Codable {
      var begin, end, full, extent: Double
    }

    var left, right: Side
    var noise, curve: Double
    var isInverted: Bool
  }

  fileprivate struct Purse: Codable {
    var begin, end, hold: Double
  }

  fileprivate struct Jump: Codable {
    var interval: Double
    var allowsDouble: Bool
  }

  fileprivate struct Sensitivity: Codable {
    var tilt, purse: Double
  }

  /// One begin and end for both sides, no extent, no sensitivity.
  fileprivate enum FirstVersion {
    struct Tilt: Decodable {
      var begin, end, fullLeft, fullRight, curve: Double
    }

    struct Purse: Decodable {
      var begin, end: Double
    }
  }
}

extension ProfileRecord.Tilt {
  fileprivate init(_ tilt: TiltSettings) {
    self.init(
      left: Side(tilt.left), right: Side(tilt.right), noise: tilt.noise, curve: tilt.curve, isInverted: tilt.isInverted)
  }
}

extension ProfileRecord.Tilt.Side {
  fileprivate init(_ side: TiltSettings.Side) {
    self.init(begin: side.begin, end: side.end, full: side.full, extent: side.extent)
  }
}

extension ProfileRecord.Purse {
  fileprivate init(_ purse: PurseSettings) { self.init(begin: purse.begin, end: purse.end, hold: purse.hold) }
}

extension ProfileRecord.Jump {
  fileprivate init(_ jump: JumpSettings) { self.init(interval: jump.interval, allowsDouble: jump.allowsDouble) }
}

extension ProfileRecord.Sensitivity {
  fileprivate init(_ sensitivity: Sensitivity) { self.init(tilt: sensitivity.tilt, purse: sensitivity.purse) }
}

extension TiltSettings {
  fileprivate init(_ data: ProfileRecord.Tilt) {
    self.init()
    (left, right) = (Side(data.left), Side(data.right))
    (noise, curve, isInverted) = (data.noise, data.curve, data.isInverted)
  }

  fileprivate init(_ data: ProfileRecord.FirstVersion.Tilt) {
    self.init()
    (left, right) = (Side(data, full: data.fullLeft), Side(data, full: data.fullRight))
    curve = data.curve
  }
}

extension TiltSettings.Side {
  fileprivate init(_ data: ProfileRecord.Tilt.Side) {
    self.init()
    (begin, end, full, extent) = (data.begin, data.end, data.full, data.extent)
  }

  /// Full speed was thought reachable: the extent is at least that. A tilt could begin anywhere up to full speed; now it
  /// begins where there is a range left to steer in.
  fileprivate init(_ data: ProfileRecord.FirstVersion.Tilt, full: Double) {
    self.init()
    (begin, end, self.full, extent) = (data.begin, data.end, full, max(extent, full))
    let least = Sensitivity.Constants.smallestBegin
    if begin >= least, begin < full { self = scaled(by: 1, smallestBegin: least) }
  }
}

extension PurseSettings {
  fileprivate init(_ data: ProfileRecord.Purse) {
    self.init()
    (begin, end, hold) = (data.begin, data.end, data.hold)
  }

  /// Any score between 0 and 1 would do, however near to them.
  fileprivate init(_ data: ProfileRecord.FirstVersion.Purse) {
    self.init()
    (begin, end) = (data.begin, data.end)
    let greatest = Sensitivity.Constants.greatestThreshold
    if end > 0, end < begin, begin < 1 { (begin, end) = (min(begin, greatest), max(end, 1 - greatest)) }
  }
}

extension JumpSettings {
  fileprivate init(_ data: ProfileRecord.Jump) {
    self.init()
    (interval, allowsDouble) = (data.interval, data.allowsDouble)
  }
}

extension Sensitivity {
  fileprivate init(_ data: ProfileRecord.Sensitivity) { self.init(tilt: data.tilt, purse: data.purse) }
}
