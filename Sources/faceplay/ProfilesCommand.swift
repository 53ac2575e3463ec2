// faceplay profiles: a player's own profiles, looked at and put in order.
import Calibration
import FacePlayService
import FoundationEssentials
import GestureStream
import Gestures

extension Command {
  static let profiles = Command(
    name: "profiles", summary: "list, show, copy, rename, delete, export or import profiles",
    operands: "[\(ProfileAction.all.map(\.usage).joined(separator: " | "))]", operandCount: 0...3, options: []
  ) { arguments in
    Interruption.endAtOnce()
    let words = arguments.operands
    guard let name = words.first else {
      try ProfileAction.list.run([])
      return .ok
    }
    guard let action = ProfileAction.all.first(where: { $0.name == name }) else {
      throw UsageError.unknownCommand("profiles \(name)", known: ProfileAction.all.map(\.name))
    }
    guard action.operandCount.contains(words.count - 1) else {
      throw UsageError.operands(
        usage: "faceplay profiles \(action.usage)", isTooFew: words.count - 1 < action.operandCount.lowerBound)
    }
    try action.run(Array(words.dropFirst()))
    return .ok
  }
}

/// One thing that can be done with profiles.
private struct ProfileAction: Sendable {
  let name: String
  let operands: String
  let operandCount: ClosedRange<Int>
  let run: @Sendable ([String]) throws -> Void

  var usage: String { operands.isEmpty ? name : "\(name) \(operands)" }

  static let all = [list, show, copy, rename, delete, export, importing, path]

  /// What cannot be used is told on standard error, beside the others.
  static let list = ProfileAction(name: "list", operands: "", operandCount: 0...0) { _ in
    let names = Preset.allCases.map(\.rawValue) + (try waiting { try await ProfileStore().names() }.map(\.description))
    let width = (names.map(\.count).max() ?? 0) + 2
    for name in names {
      do {
        let profile = try load(name)
        let kind =
          Preset(rawValue: name) != nil ? "preset" : profile.neutral == nil ? "yours" : "yours, calibrated"
        try printResult("\(name.padded(to: width))\(LiveControls.percents(profile.sensitivity))  \(kind)")
      } catch let error as StreamWriteError {
        throw error
      } catch {
        printError("faceplay: \(error)")
      }
    }
  }

  static let show = ProfileAction(name: "show", operands: "NAME", operandCount: 1...1) { words in
    let profile = try load(words[0])
    let (tilt, purse) = (profile.effectiveTilt, profile.effectivePurse)
    try printResult("\(profile.name): \(LiveControls.percents(profile.sensitivity))")
    for (side, name) in [(tilt.left, "left"), (tilt.right, "right")] {
      try printResult(
        "tilt \(name.padded(to: 7))begins \(number(side.begin, 1))°, ends \(number(side.end, 1))°, "
          + "full speed \(number(side.full, 1))° of \(number(side.extent, 1))°")
    }
    try printResult("tilt        curve \(number(tilt.curve, 2))\(tilt.isInverted ? ", inverted" : "")")
    try printResult(
      "purse       begins at score \(number(purse.begin, 2)), ends \(number(purse.end, 2)), "
        + "held \(number(purse.hold * 1000, 0)) ms")
    try printResult(
      "jump        \(profile.jump.allowsDouble ? "double jumps" : "no double jumps"), "
        + "\(number(profile.jump.interval, 2)) s apart at least")
    try printResult("neutral     \(profile.neutral == nil ? "found by itself" : "calibrated")")
  }

  static let copy = ProfileAction(name: "copy", operands: "NAME NEW", operandCount: 2...2) { words in
    try add(try load(words[0]), as: ProfileName(words[1]))
  }

  static let rename = ProfileAction(name: "rename", operands: "NAME NEW", operandCount: 2...2) { words in
    let old = try ProfileName(words[0])
    // The new one is there before the old one goes.
    try add(try load(words[0]), as: ProfileName(words[1]))
    try waiting { try await ProfileStore().delete(old) }
  }

  static let delete = ProfileAction(name: "delete", operands: "NAME", operandCount: 1...1) { words in
    let name = try ProfileName(words[0])
    try waiting { try await ProfileStore().delete(name) }
  }

  static let export = ProfileAction(name: "export", operands: "NAME FILE", operandCount: 2...2) { words in
    let profile = try load(words[0])
    try OutputFile.checkNew(words[1])
    let file = try OutputFile(path: words[1])
    try file.write([UInt8](profile.json()))
    try file.commit()
  }

  /// Under the name in the file unless another is given.
  static let importing = ProfileAction(name: "import", operands: "FILE [NAME]", operandCount: 1...2) { words in
    guard let profile = try Profile.read(words[0]) else {
      throw ProfileError.unreadable(path: words[0], reason: "no such file")
    }
    try add(profile, as: ProfileName(words.count > 1 ? words[1] : profile.name))
  }

  static let path = ProfileAction(name: "path", operands: "[NAME]", operandCount: 0...1) { words in
    let store = ProfileStore()
    guard let word = words.first else {
      try printResult(store.folder)
      return
    }
    if let preset = Preset(rawValue: word) {
      try printResult(DataFiles().path(preset.path))
      return
    }
    let name = try ProfileName(word)
    let names = try waiting { try await store.names() }
    guard names.contains(name) else { throw ProfileError.unknown(word, known: names.map(\.description)) }
    try printResult(waiting { await store.path(of: name) })
  }

  private static func load(_ name: String) throws -> Profile {
    let choice = try ProfileChoice(name)
    return try waiting { try await choice.load(from: ProfileStore(), data: DataFiles()) }
  }

  private static func add(_ profile: Profile, as name: ProfileName) throws {
    var profile = profile
    profile.name = name.description
    let named = profile
    try waiting { try await ProfileStore().add(named) }
  }
}
