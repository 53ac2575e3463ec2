// The profile that a player names.
import Calibration
import Gestures

/// What `--profile` may name: a preset, a saved profile, or a file, known by the `/` in its path.
public enum ProfileChoice: Sendable, Equatable {
  case preset(Preset)
  case saved(ProfileName)
  case file(path: String)

  /// Throws `ProfileError.badName`.
  public init(_ text: String) throws(ProfileError) {
    if let preset = Preset(rawValue: text) {
      self = .preset(preset)
    } else if text.contains("/") {
      self = .file(path: text)
    } else {
      self = .saved(try ProfileName(text))
    }
  }

  public var isSaved: Bool { if case .saved = self { true } else { false } }

  /// Throws `ProfileError`, where nothing is found naming what there is, and `DataFileError`.
  public func load(from store: ProfileStore, data: DataFiles) async throws -> Profile {
    switch self {
    case .preset(let preset): return try Self.file(try data.path(preset.path))
    case .file(let path): return try Self.file(path)
    case .saved(let name):
      if let profile = try await store.load(name) { return profile }
      let known = Preset.allCases.map(\.rawValue) + (try await store.names()).map(\.description)
      throw ProfileError.unknown(name.description, known: known)
    }
  }

  private static func file(_ path: String) throws(ProfileError) -> Profile {
    guard let profile = try Profile.read(path) else { throw .unreadable(path: path, reason: "no such file") }
    return profile
  }
}
