// Players' own profiles as files.
import FoundationEssentials
import GestureStream
import Gestures
import Glibc

/// One JSON file a profile, `NAME.json`, under `$XDG_DATA_HOME/faceplay/profiles`. Files are replaced whole.
///
/// Nothing is lost: a file that is no profile is renamed to `NAME.json.broken-1` (2, 3…) and reported when it is loaded
/// or would be overwritten; one of a newer version is refused both ways and stays.
public actor ProfileStore: ProfileRepository {
  private static let fileType = ".json"

  public nonisolated let folder: String

  /// The store of this process's environment.
  public init() {
    let account = FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false)
    self.init(folder: Self.folder(environment: ProcessInfo.processInfo.environment, home: account))
  }

  public init(folder: String) {
    self.folder = folder
  }

  /// `home` is where there is no `HOME`. A relative `XDG_DATA_HOME` is to be ignored (XDG Base Directory Specification,
  /// "Basics").
  static func folder(environment: [String: String], home: String) -> String {
    let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = URL(filePath: environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home)
    let base = data.map { URL(filePath: $0) } ?? home.appending(path: ".local/share")
    return base.appending(path: "faceplay/profiles").path(percentEncoded: false)
  }

  /// Where the profile is, or would be.
  public func path(of name: ProfileName) -> String {
    let path = "\(folder)/\(name)\(Self.fileType)"
    if access(path, F_OK) == 0 { return path }
    // A file may bear the name in another canonically equivalent spelling.
    guard let file = (try? names())?.first(where: { $0 == name }) else { return path }
    return "\(folder)/\(file)\(Self.fileType)"
  }

  /// Throws `ProfileError.unreadable` for a folder that cannot be read; one that does not exist holds none.
  public func names() throws -> [ProfileName] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw ProfileError.unreadable(path: folder, reason: "it is not a folder that you may read")
    }
    return files.filter { $0.hasSuffix(Self.fileType) }
      .compactMap { try? ProfileName(String($0.dropLast(Self.fileType.count))) }
      .sorted { $0.description < $1.description }
  }

  /// The profile under its file's name, whatever name stands in the file.
  public func load(_ name: ProfileName) throws -> Profile? {
    let path = path(of: name)
    do {
      var profile = try Profile.read(path)
      profile?.name = name.description
      return profile
    } catch .notAProfile(let path, let reason) {
      guard let kept = try? setAside(path) else { throw ProfileError.notAProfile(path: path, reason: reason) }
      throw ProfileError.setAside(path: path, reason: reason, keptAs: kept)
    }
  }

  /// Throws `ProfileError`, also `unworkable` for a profile that is; `ProfileSaveError` when it cannot be written.
  public func save(_ profile: Profile) throws {
    let path = path(of: try ProfileName(profile.name))
    do {
      try profile.validate()
    } catch {
      throw ProfileError.unworkable(path: path, error)
    }
    do {
      try OutputFolder.make(folder)
      try clear(path)
      let file = try OutputFile(path: path)
      try file.write([UInt8](profile.json()))
      try file.commit()
    } catch let error as StreamWriteError {
      throw ProfileSaveError(cause: error)
    }
  }

  public func add(_ profile: Profile) throws {
    let name = try ProfileName(profile.name)
    guard try !names().contains(name) else { throw ProfileError.exists(profile.name) }
    try save(profile)
  }

  public func delete(_ name: ProfileName) throws {
    let path = path(of: name)
    guard unlink(path) != 0 else { return }
    guard errno != ENOENT else { throw ProfileError.unknown(name.description, known: try names().map(\.description)) }
    throw ProfileSaveError(cause: StreamWriteError(file: path, code: errno))
  }

  /// Sees that what is at the path may be overwritten: a profile may, what a player broke is kept first.
  private func clear(_ path: String) throws {
    do {
      _ = try Profile.read(path)
    } catch {
      switch error {
      case .notAProfile, .unworkable: _ = try setAside(path)
      default: throw error
      }
    }
  }

  /// Renames a file so that it is in nobody's way; its new path.
  private func setAside(_ path: String) throws(StreamWriteError) -> String {
    for number in 1... {
      let aside = "\(path).broken-\(number)"
      // Unlike a rename, a link replaces nothing.
      if link(path, aside) == 0, unlink(path) == 0 { return aside }
      if errno != EEXIST { break }
    }
    throw StreamWriteError(file: path, code: errno)
  }
}

/// A profile that could not be written, or not deleted; what was saved before is as it was.
public struct ProfileSaveError: Error, Sendable, Equatable, CustomStringConvertible {
  public let cause: StreamWriteError

  public var description: String {
    "\(cause); profiles are kept below $XDG_DATA_HOME, and what was saved before is as it was"
  }
}
