// Why output could not be written.
import Glibc

/// The description is one sentence for the player: which file, what is wrong and what to do next.
public struct StreamWriteError: Error, Equatable, CustomStringConvertible {
  /// The file's name as it was given.
  public let file: String
  /// The `errno` of the call that failed.
  public let code: Int32

  package init(file: String, code: Int32) {
    self.file = file
    self.code = code
  }

  public enum Kind: Sendable {
    /// The disk, or the user's share of it, is full.
    case diskFull
    case noPermission
    case readOnlyFileSystem
    case noSuchFolder
    /// The path names a folder, or leads through something that is none.
    case notAFile
    /// Whoever read the pipe is gone.
    case closedPipe
    /// Cancelled while nobody read the pipe or terminal.
    case interrupted
    /// A file that is not replaced.
    case exists
    case other
  }

  public var kind: Kind {
    switch code {
    case ENOSPC, EDQUOT: .diskFull
    case EACCES, EPERM: .noPermission
    case EROFS: .readOnlyFileSystem
    case ENOENT: .noSuchFolder
    case ENOTDIR, EISDIR: .notAFile
    case EPIPE: .closedPipe
    case EINTR: .interrupted
    case EEXIST: .exists
    default: .other
    }
  }

  public var description: String {
    switch kind {
    case .diskFull: "\(file): the disk is full; free some space or write elsewhere"
    case .noPermission: "\(file): no permission to write here; choose a folder of your own"
    case .readOnlyFileSystem: "\(file): this file system is read-only; write elsewhere"
    case .noSuchFolder: "\(file): its folder does not exist; make it first"
    case .notAFile: "\(file): not a place for a file; name a file in a folder"
    case .closedPipe: "\(file): the program reading this closed the pipe"
    case .interrupted: "\(file): the program reading this does not read on; the end is missing"
    case .exists: "\(file) exists already; name another file, or remove it first"
    case .other: "\(file): cannot be written: \(String(cString: strerror(code)))"
    }
  }
}
