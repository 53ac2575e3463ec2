// What a player's own profile may be called.

/// A name that is safe as a file's and that a terminal shows as what it is. Any script will do; two names that look
/// alike because they are canonically equivalent are one.
public struct ProfileName: Sendable, Hashable, CustomStringConvertible {
  public struct Constants {
    public static let greatestLength = 64
    /// UTF-8 bytes: a file's name may have 255, and endings are added.
    public static let greatestByteCount = 200
  }

  public let description: String

  /// Throws `badName`, or `reservedName` for a preset's.
  public init(_ text: String) throws(ProfileError) {
    if let rule = Self.rule(brokenBy: text) { throw .badName(text, rule: rule) }
    guard !Preset.allCases.contains(where: { $0.rawValue == text.lowercased() }) else { throw .reservedName(text) }
    description = text
  }

  /// The first rule that the text breaks; presets' names break none.
  static func rule(brokenBy text: String) -> String? {
    let rules: [(String, Bool)] = [
      ("it is empty", text.isEmpty),
      (
        "at most \(Constants.greatestLength) characters and \(Constants.greatestByteCount) bytes will do",
        text.count > Constants.greatestLength || text.utf8.count > Constants.greatestByteCount
      ),
      ("it may hold no /", text.unicodeScalars.contains("/")),
      ("it may not begin with . or -", text.hasPrefix(".") || text.hasPrefix("-")),
      ("it may not begin or end with a space", text.first?.isWhitespace == true || text.last?.isWhitespace == true),
      ("it may hold no control characters", text.unicodeScalars.contains(where: isControl)),
    ]
    return rules.first { $0.1 }?.0
  }

  /// Line ends and marks that turn the direction of writing too.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl
    }
  }
}
