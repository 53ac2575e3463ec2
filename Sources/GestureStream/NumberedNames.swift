// Names for a file whose own name may be taken.
import Glibc

/// `run.mp4`, `run-2.mp4`, `run-3.mp4` … for `run.mp4`: the number stands before what the file's name ends in.
public struct NumberedNames: Sequence, Sendable {
  private let stem: String
  /// Empty, or from the last point on.
  private let ending: String

  public init(_ path: String) {
    let bytes = path.utf8
    let nameStart = bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex
    // A leading point hides a file, it begins no ending.
    let point = bytes[nameStart...].dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
    self.init(stem: String(path[..<point]), ending: String(path[point...]))
  }

  private init(stem: String, ending: String) {
    self.stem = stem
    self.ending = ending
  }

  /// The first that nothing has now.
  public var firstFree: String { first { access($0, F_OK) != 0 }! }

  /// With a mark before the number.
  func marked(_ mark: String) -> NumberedNames { NumberedNames(stem: stem + mark, ending: ending) }

  public func makeIterator() -> some IteratorProtocol<String> {
    (1...).lazy.map { [stem, ending] in $0 == 1 ? stem + ending : "\(stem)-\($0)\(ending)" }.makeIterator()
  }
}
