// The commands, their options, and what is printed when they fail.
import FacePlayService
import Glibc

/// A subcommand: how it is called and what it does.
struct Command: Sendable {
  let name: String
  let summary: String
  /// How its operands are written: `[CLIP]`, `CLIP…`.
  let operands: String
  let operandCount: ClosedRange<Int>
  let options: [Option]
  /// Returns the exit status.
  let run: @Sendable (Arguments) throws -> ExitStatus

  struct Option: Sendable {
    let name: String
    /// What its value is called; `nil` for a switch.
    let value: String?
    let summary: String
  }

  static let all = [
    play, track, calibrate, cameras, export, record, snap, replay, evaluate, profiles, doctor,
  ]
}

enum Program {
  static let version = "0.1.0"

  /// Runs the command that the words after the program's name stand for; every failure is told on standard error.
  static func run() -> Int32 {
    Interruption.hold()
    occupyStandardDescriptors()
    do {
      // However a command ends, and whoever else still holds its view.
      defer { TerminalScreen.giveBack() }
      return try start(try words()).rawValue
    } catch {
      printError("faceplay: \(error)")
      if error is UsageError { printError("Try: faceplay --help") }
      return ExitStatus(error).rawValue
    }
  }

  /// The first files to be opened would get the numbers of those that are closed, and messages be written into them. One
  /// that can only be read tells a writer that there is no output.
  private static func occupyStandardDescriptors() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
  }

  /// A file whose name is not UTF-8 would be looked for, or written, under another name.
  private static func words() throws(UsageError) -> [String] {
    var words: [String] = []
    for number in 1..<max(Int(CommandLine.argc), 1) {
      guard let word = CommandLine.unsafeArgv[number].flatMap({ String(validatingCString: $0) }) else {
        throw .notText(number)
      }
      words.append(word)
    }
    return words
  }

  private static func start(_ words: [String]) throws -> ExitStatus {
    guard let name = words.first else { throw UsageError.noCommand }
    if let text = try information(words) {
      Interruption.endAtOnce()
      try printResult(text, terminator: "")
      return .ok
    }
    let command = try command(name)
    return try command.run(try Arguments(Array(words.dropFirst()), for: command))
  }

  /// Help or the version, where the words ask for it.
  private static func information(_ words: [String]) throws(UsageError) -> String? {
    switch words[0] {
    case "--help", "-h", "help": words.count > 1 ? try command(words[1]).help : help
    case "--version": "faceplay \(version)\n"
    case let name: words.contains("--help") || words.contains("-h") ? try command(name).help : nil
    }
  }

  private static func command(_ name: String) throws(UsageError) -> Command {
    guard let command = Command.all.first(where: { $0.name == name }) else {
      throw .unknownCommand(name, known: Command.all.map(\.name))
    }
    return command
  }

  static var help: String {
    let width = Command.all.map(\.name.count).max()! + 2
    let commands = Command.all.map { "  \($0.name.padded(to: width))\($0.summary)\n" }.joined()
    return """
      faceplay: play by face. Tilt your head to move, purse your lips to jump.

      Usage: faceplay COMMAND [OPTIONS]

      \(commands)
      faceplay COMMAND --help tells more of one; faceplay --version tells the version.

      Exit status: 0 done; 64 usage; 65 damaged input; 66 no such input; 69 not available here; 72 a file of faceplay is
      missing; 73, 74 output failed; 77 no permission; 78 bad settings; 128+N ended by signal N; 70, 71 other failures.

      """
  }
}

extension Command {
  var usage: String {
    "faceplay \(name)\(operands.isEmpty ? "" : " \(operands)")\(options.isEmpty ? "" : " [OPTIONS]")"
  }

  var help: String {
    let names = options.map { $0.value == nil ? $0.name : "\($0.name) \($0.value!)" }
    let width = (names.map(\.count).max() ?? 0) + 2
    let lines = zip(names, options).map { "  \($0.padded(to: width))\($1.summary)\n" }.joined()
    return "\(summary)\n\nUsage: \(usage)\n" + (lines.isEmpty ? "" : "\n\(lines)")
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
}
