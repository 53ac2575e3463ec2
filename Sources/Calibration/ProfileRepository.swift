// Where players' own profiles are kept.
import Gestures

/// Keeps profiles by name. What a call has done has lasted when it returns, and a profile is never found half written.
public protocol ProfileRepository: Sendable {
  /// All that can be loaded or that a load would tell what is wrong with, sorted.
  func names() async throws -> [ProfileName]
  /// `nil` when there is none of that name. Throws `ProfileError` for one that cannot be used.
  func load(_ name: ProfileName) async throws -> Profile?
  /// Keeps the profile under its name, in place of one that was there.
  func save(_ profile: Profile) async throws
  /// As `save`, but throws `ProfileError.exists` where there is one of that name.
  func add(_ profile: Profile) async throws
  /// Throws `ProfileError.unknown` where there is none.
  func delete(_ name: ProfileName) async throws
}
