// What can be wrong with a file that is read, and where.
import Glibc

/// The description is one sentence for the player: which file, where in it, what is wrong and, where it helps, what to
/// do next.
public struct StreamReadError: Error, Equatable, CustomStringConvertible {
  /// The file's name.
  public let file: String
  public let place: Place
  public let cause: Cause

  public enum Place: Sendable, Equatable {
    case file
    /// Counted from 1.
    case line(Int)
    /// A trace's record, counted from 1.
    case record(Int)
  }

  public enum Cause: Error, Equatable {
    /// The file cannot be opened or read; `code` is its `errno`.
    case unreadable(code: Int32)
    case lineTooLong
    case notUTF8
    /// The text breaks the format's own rules: JSON's or CSV's.
    case malformed
    /// The first record is no header: this is some other file.
    case noHeader
    /// A header amid the records.
    case secondHeader
    case unsupportedSchema(String)
    case missing(String)
    /// A value of the wrong type, or not one of those known where only those make sense.
    case invalid(String)
    case outOfRange(String)
    /// A CSV row with more or fewer fields than its header row.
    case wrongFieldCount
    /// A frame before the one before it.
    case timeRunsBackwards
  }

  public var description: String {
    switch place {
    case .file: "\(file): \(cause)"
    case .line(let number): "\(file), line \(number): \(cause)"
    case .record(let number): "\(file), record \(number): \(cause)"
    }
  }
}

extension StreamReadError.Cause: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let code): "cannot be read: \(String(cString: strerror(code)))"
    case .lineTooLong: "longer than \(StreamLimits.lineLength) bytes, which no record is"
    case .notUTF8: "not UTF-8 text"
    case .malformed: "damaged, or not of the format its name says"
    case .noHeader: "no header: not a file that faceplay wrote"
    case .secondHeader: "a second header; split the file before it"
    case .unsupportedSchema(let schema): "written as \"\(schema)\", which this version of faceplay cannot read"
    case .missing(let key): "\"\(key)\" is missing"
    case .invalid(let key): "\"\(key)\" has a value that makes no sense"
    case .outOfRange(let key): "\"\(key)\" is out of its range"
    case .wrongFieldCount: "not as many fields as the header row has"
    case .timeRunsBackwards: "earlier than the frame before it"
    }
  }
}
