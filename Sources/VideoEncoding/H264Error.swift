// What can be wrong with H.264 that came from elsewhere.

public enum H264Error: Error, Sendable, Equatable, CustomStringConvertible {
  /// It ends before what it announces.
  case truncated
  /// A syntax element with a value that the standard does not allow.
  case invalid(String)
  /// Larger than level 5.2 allows, or in a profile that is not read here.
  case unsupported(String)
  /// The decoder could not make a picture of it; a key frame is needed.
  case damaged
  case outOfMemory

  public var description: String {
    switch self {
    case .truncated: "the video is cut short"
    case .invalid(let element): "the video is damaged: \(element) is out of its range"
    case .unsupported(let what): "the video cannot be decoded here: \(what)"
    case .damaged: "the video is damaged; the next key frame will mend it"
    case .outOfMemory: "not enough memory to decode video; close other programs"
    }
  }
}
