// The sensitivity presets, and reading a profile's JSON.
import FoundationEssentials
import Gestures

/// The presets that come with the program, by the names of their files in `calibration/presets`.
public enum Preset: String, Sendable, CaseIterable {
  /// Large, clear gestures only.
  case low
  case medium
  /// Small gestures count.
  case high

  /// Where the preset is below the data folder.
  public var path: String { "calibration/presets/\(rawValue).json" }
}

public enum ProfileError: Error, Sendable, Equatable, CustomStringConvertible {
  case unreadable(path: String, reason: String)
  case notAProfile(path: String, reason: String)
  case futureVersion(path: String, version: Int)
  case unworkable(path: String, ProfileProblem)

  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .notAProfile(let path, let reason):
      "\(path) is no profile: \(reason); start from a copy of calibration/presets/medium.json"
    case .futureVersion(let path, let version):
      "\(path) is of version \(version), which a newer faceplay wrote; update faceplay to use it"
    case .unworkable(let path, let problem): "\(path): \(problem); correct it and try again"
    }
  }
}

extension Profile {
  /// Reads and checks a profile.
  public init(contentsOf path: String) throws(ProfileError) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw .unreadable(path: path, reason: Self.readFailure(error))
    }
    do {
      self = try JSONDecoder().decode(ProfileRecord.self, from: data).profile
    } catch let error as ProfileRecord.UnknownVersion {
      throw .futureVersion(path: path, version: error.version)
    } catch {
      throw .notAProfile(path: path, reason: Self.reason(error))
    }
    do {
      try validate()
    } catch {
      throw .unworkable(path: path, error)
    }
  }

  private static func readFailure(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: "no such file"
    case .fileReadNoPermission: "no permission"
    default: "it is not a readable file"
    }
  }

  private static func reason(_ error: any Error) -> String {
    func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
      (context.codingPath + (key.map { [$0] } ?? [])).map(\.stringValue).joined(separator: ".")
    }
    return switch error as? DecodingError {
    case .keyNotFound(let key, let context): "\(place(context, key)) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context): "\(place(context)) is not what it should be"
    default: "it is not JSON"
    }
  }
}
