// A profile as the JSON of its file.
import FoundationEssentials
import Gestures

extension Profile {
  /// Bytes; a profile takes 600, its name at most 24,000 more if escaped.
  public static let greatestFileSize = 1 << 16

  /// Reads and checks a profile; `path` is for errors. Throws `notAProfile`, `futureVersion` or `unworkable`.
  public init(json: Data, path: String) throws(ProfileError) {
    do {
      self = try JSONDecoder().decode(ProfileRecord.self, from: json).profile
    } catch let error as ProfileRecord.UnknownVersion {
      throw .futureVersion(path: path, version: error.version)
    } catch {
      throw .notAProfile(path: path, reason: Self.reason(error))
    }
    if let rule = ProfileName.rule(brokenBy: name) { throw .notAProfile(path: path, reason: "its name: \(rule)") }
    do {
      try validate()
    } catch {
      throw .unworkable(path: path, error)
    }
  }

  /// The profile as its file holds it, for people to read too. Throws `EncodingError` for a number that is not finite.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(ProfileRecord(self)) + Data("\n".utf8)
  }

  private static func reason(_ error: any Error) -> String {
    func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
      (context.codingPath + (key.map { [$0] } ?? [])).map(\.stringValue).joined(separator: ".")
    }
    return switch error as? DecodingError {
    case .keyNotFound(let key, let context): "\(place(context, key)) is missing"
    case .typeMismatch(_, let context) where context.codingPath.isEmpty: "it is not a JSON object"
    case .typeMismatch(_, let context), .valueNotFound(_, let context): "\(place(context)) is not what it should be"
    default: "it is not JSON"
    }
  }
}
