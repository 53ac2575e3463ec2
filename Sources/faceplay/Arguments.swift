// Words after a command, sorted into operands and options.

/// Options may stand anywhere, as `--name value` or `--name=value`; `--` ends them; `-` alone is an operand or a value.
struct Arguments: Sendable, Equatable {
  private(set) var operands: [String] = []
  private var values: [String: String] = [:]

  /// Throws `UsageError` when the words do not fit the command.
  init(_ words: [String], for command: Command) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      try take(word, &rest, command)
    }
    guard command.operandCount.contains(operands.count) else {
      throw .operands(usage: command.usage, isTooFew: operands.count < command.operandCount.lowerBound)
    }
  }

  subscript(option: String) -> String? { values[option] }

  func has(_ option: String) -> Bool { values[option] != nil }

  /// The one of its kind that an option names; `nil` without the option.
  func choice<Kind: CaseIterable & RawRepresentable<String>>(_ option: String) throws(UsageError) -> Kind? {
    guard let name = self[option] else { return nil }
    if let choice = Kind(rawValue: name) { return choice }
    throw .badValue(option: option, value: name, must: "be \(Kind.allCases.map(\.rawValue).alternatives)")
  }

  private mutating func take(_ word: String, _ rest: inout ArraySlice<String>, _ command: Command) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    guard let option = command.options.first(where: { $0.name == name }) else {
      throw .unknownOption(name, command: command.name)
    }
    guard values[name] == nil else { throw .repeated(option: name) }
    switch (option.value, parts.count) {
    case (nil, 1): values[name] = ""
    case (nil, _): throw .unexpectedValue(option: name)
    case (_, 2): values[name] = parts[1]
    case (let value?, _):
      guard let next = rest.popFirst() else { throw .missingValue(option: name, value: value) }
      values[name] = next
    }
  }
}

/// A command line that makes no sense; exit status 64.
enum UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A word, counted from 1, that is not UTF-8.
  case notText(Int)
  case noCommand
  case unknownCommand(String, known: [String])
  case unknownOption(String, command: String)
  case repeated(option: String)
  case missingValue(option: String, value: String)
  case unexpectedValue(option: String)
  /// `must` is what comes after “it must”.
  case badValue(option: String, value: String, must: String)
  case noOutput
  case sameFile(String)
  /// An option for the terminal alone, or for the page alone.
  case notTogether(String, isWith: Bool)
  case operands(usage: String, isTooFew: Bool)

  var description: String {
    switch self {
    case .notText(let number):
      "word \(number) of the command line is not UTF-8 text; rename the file, or type the word anew"
    case .noCommand: "a command is missing; there are \(Command.all.map(\.name).joined(separator: ", "))"
    case .unknownCommand(let name, let known):
      "there is no command “\(name)”; there are \(known.joined(separator: ", "))"
    case .unknownOption(let option, let command): "\(command) has no option \(option); see faceplay \(command) --help"
    case .repeated(let option): "\(option) is given twice"
    case .missingValue(let option, let value): "\(option) needs its \(value) after it"
    case .unexpectedValue(let option): "\(option) takes no value"
    case .badValue(let option, let value, let must): "\(option) cannot be “\(value)”; it must \(must)"
    case .noOutput: "-o FILE is missing: it says where to write"
    case .sameFile(let path): "\(path) is the source itself; write to another file"
    case .notTogether(let option, let isWith):
      isWith ? "\(option) does not go with --terminal" : "\(option) goes only with --terminal"
    case .operands(let usage, let isTooFew):
      "\(isTooFew ? "something is missing" : "that is a word too many"); the usage is: \(usage)"
    }
  }
}
