// What this installation and computer can do, and what keeps them from it.
import Calibration
import FaceTracking
import GestureStream
import Glibc

/// One thing that was looked at.
public struct Finding: Sendable, Equatable {
  public enum Verdict: Sendable, Equatable {
    case good
    /// It works, but not as well as it could.
    case poor
    case bad
  }

  public let subject: String
  public let verdict: Verdict
  /// What was found; if it is not good, also what to do.
  public let detail: String
}

/// Looks at everything faceplay needs. A further check is one more function in `checks`.
public struct Diagnosis: Sendable {
  public let findings: [Finding]

  /// Whether nothing is bad.
  public var isHealthy: Bool { !findings.contains { $0.verdict == .bad } }

  /// Looks at the data files found in `data`, at this computer, and at where `store` keeps profiles.
  public init(data: DataFiles, store: ProfileStore) {
    findings = Self.checks.flatMap { $0(data) } + [Self.profiles(store)]
  }

  private static let checks: [@Sendable (DataFiles) -> [Finding]] = [folders, presets, demo, processor, networks]

  private static func folders(_ data: DataFiles) -> [Finding] {
    [Finding(subject: "data folders", verdict: .good, detail: data.folders.joined(separator: ", "))]
  }

  private static func presets(_ data: DataFiles) -> [Finding] {
    [presence(of: "calibration/presets", as: "presets", in: data)]
  }

  private static func demo(_ data: DataFiles) -> [Finding] {
    [presence(of: "clips/demo.mp4", as: "demo clip", in: data)]
  }

  private static func presence(of name: String, as subject: String, in data: DataFiles) -> Finding {
    do {
      return Finding(subject: subject, verdict: .good, detail: try data.path(name))
    } catch {
      return Finding(subject: subject, verdict: .bad, detail: "\(error)")
    }
  }

  private static func processor(_ data: DataFiles) -> [Finding] {
    let names = InstructionSet.allCases.filter(\.isAvailable).map(\.description)
    return [Finding(subject: "processor", verdict: .good, detail: names.joined(separator: ", "))]
  }

  /// Whether a profile could be saved: tried in the folder, or in the nearest that there is above it.
  private static func profiles(_ store: ProfileStore) -> Finding {
    var folder = store.folder[...]
    while access(String(folder), F_OK) != 0, let end = folder.lastIndex(of: "/") { folder = folder[..<end] }
    do {
      _ = try OutputFile(path: "\(folder)/doctor.json")
      return Finding(subject: "profiles", verdict: .good, detail: store.folder)
    } catch {
      let failure = StreamWriteError(file: store.folder, code: error.code)
      return Finding(
        subject: "profiles", verdict: .bad, detail: "\(failure); profiles are kept below $XDG_DATA_HOME")
    }
  }

  /// Loads the networks: each file is read, verified and run once.
  private static func networks(_ data: DataFiles) -> [Finding] {
    do {
      let folder = try data.path("models")
      let tracker = try FaceTracker(modelsDirectory: folder)
      let models = "\(folder), all verified; landmarks \(tracker.modelIdentifier)"
      return [
        Finding(subject: "models", verdict: .good, detail: models),
        Finding(
          subject: "engine", verdict: tracker.engine.notice == nil ? .good : .poor,
          detail: "\(tracker.engine)" + (tracker.engine.notice.map { ": \($0)" } ?? "")),
      ]
    } catch {
      return [Finding(subject: "models", verdict: .bad, detail: "\(error)")]
    }
  }
}
