// What can be wrong with a profile that is asked for.
import Gestures

/// The description is one sentence for the player: what is wrong and what to do next.
public enum ProfileError: Error, Sendable, Equatable, CustomStringConvertible {
  case badName(String, rule: String)
  case reservedName(String)
  case unknown(String, known: [String])
  case exists(String)
  case unreadable(path: String, reason: String)
  case notAProfile(path: String, reason: String)
  /// As `notAProfile`; the file has been renamed, so that nothing overwrites it.
  case setAside(path: String, reason: String, keptAs: String)
  case futureVersion(path: String, version: Int)
  case unworkable(path: String, ProfileProblem)

  public var description: String {
    switch self {
    case .badName(let name, let rule): "“\(name.printable)” cannot name a profile: \(rule)"
    case .reservedName(let name): "“\(name)” is a preset's name; choose another for a profile of your own"
    case .unknown(let name, let known):
      "there is no profile “\(name.printable)”; "
        + (known.isEmpty ? "none has been saved yet" : "there are \(known.joined(separator: ", "))")
    case .exists(let name): "there is a profile “\(name)” already; choose another name, or delete or rename that one"
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .notAProfile(let path, let reason):
      "\(path) is no profile: \(reason); start from a copy of calibration/presets/medium.json"
    case .setAside(let path, let reason, let keptAs):
      "\(path) is no profile: \(reason); it is kept as \(keptAs): correct it and give it its name back, or calibrate anew"
    case .futureVersion(let path, let version):
      "\(path) is of version \(version), which a newer faceplay wrote; update faceplay to use it"
    case .unworkable(let path, let problem): "\(path): \(problem); correct it and try again"
    }
  }
}

extension String {
  /// Without control characters, which a terminal would obey.
  fileprivate var printable: String {
    filter { character in !character.unicodeScalars.contains { $0.properties.generalCategory == .control } }
  }
}
