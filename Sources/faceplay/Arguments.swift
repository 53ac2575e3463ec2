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
      throw .operands(usage: command.usage, given: operands.count)
    }
  }

  subscript(option: String) -> String? { values[option] }

  func has(_ option: String) -> Bool { values[option] != nil }

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
  case noCommand
  case unknownCommand(String)
  case unknownOption(String, command: String)
  case repeated(option: String)
  case missingValue(option: String, value: String)
  case unexpectedValue(option: String)
  case badValue(option: String, value: String, allowed: [String])
  case missingOption(String)
  case sameFile(String)
  /// An option for the terminal alone, or for the page alone.
  case notTogether(String, isWith: Bool)
  case operands(usage: String, given: Int)

  var description: String {
    switch self {
    case .noCommand: "which command? One of: \(Command.all.map(\.name).joined(separator: ", "))"
    case .unknownCommand(let name):
      "there is no command “\(name)”; the commands are \(Command.all.map(\.name).joined(separator: ", "))"
    case .unknownOption(let option, let command): "\(command) has no option \(option); see faceplay \(command) --help"
    case .repeated(let option): "\(option) is given twice"
    case .missingValue(let option, let value): "\(option) wants a \(value) after it"
    case .unexpectedValue(let option): "\(option) takes no value"
    case .badValue(let option, let value, let allowed):
      "\(option) cannot be “\(value)”; it is one of \(allowed.joined(separator: ", "))"
    case .missingOption(let option): "\(option) is missing"
    case .sameFile(let path): "\(path) is the clip itself; write to another file"
    case .notTogether(let option, let isWith):
      isWith ? "\(option) does not go with --terminal" : "\(option) goes with --terminal alone"
    case .operands(let usage, let given):
      "\(given == 0 ? "nothing is named" : "\(counted(given, "operand")) given"); usage: \(usage)"
    }
  }
}
