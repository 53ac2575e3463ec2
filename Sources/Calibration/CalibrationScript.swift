// The script of a guided calibration: what the player is asked to do, for how long, and in which words.
import FoundationEssentials

/// The languages the program speaks to a player in.
public enum Language: String, Sendable, CaseIterable {
  case ko, en

  /// From a locale's name such as `ko_KR.UTF-8`; English unless it is Korean.
  public init(locale: String?) {
    self = locale?.hasPrefix("ko") == true ? .ko : .en
  }
}

/// One text in every language.
public struct LocalizedText: Sendable, Equatable, Decodable {
  let ko, en: String

  public subscript(language: Language) -> String { language == .ko ? ko : en }
}

/// What a player does while being recorded.
public enum Activity: String, Sendable, Decodable, CaseIterable {
  case rest, tiltLeft, tiltRight, purse, talk, smile, tiltLeftAndPurse, tiltRightAndPurse
}

/// `calibration/script.json`.
public struct CalibrationScript: Sendable, Equatable, Decodable {
  /// Where the script is below the data folder.
  public static let path = "calibration/script.json"

  public struct Step: Sendable, Equatable, Decodable {
    public let title: LocalizedText
    /// Done one after the other.
    public let parts: [Part]
  }

  public struct Part: Sendable, Equatable, Decodable {
    public let activity: Activity
    /// Seconds to read the prompt and get ready, counted while a face is seen, 0…60.
    public let prepare: Double
    /// Seconds of recording, 0.5…60; a part that counts `times` ends earlier once it has them.
    public let seconds: Double
    /// How many purses are wanted.
    public let times: Int?
    public let prompt: LocalizedText
  }

  public let version: Int
  /// How often a part is tried before calibration goes on without it or, where it cannot, ends; 1…10.
  public let attempts: Int
  /// Seconds without a face after which an attempt is given up, 1…120.
  public let patience: Double
  public let steps: [Step]
  private let texts: [String: LocalizedText]

  /// Reads and checks the script.
  public init(contentsOf path: String) throws(CalibrationScriptError) {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw CalibrationScriptError(path: path, reason: "it cannot be read")
    }
    try self.init(json: data, path: path)
  }

  init(json data: Data, path: String) throws(CalibrationScriptError) {
    do {
      self = try JSONDecoder().decode(CalibrationScript.self, from: data)
    } catch {
      throw CalibrationScriptError(path: path, reason: "it is not a calibration script: \(error)")
    }
    if let problem { throw CalibrationScriptError(path: path, reason: problem) }
  }

  /// The text with each `{name}` replaced by its value.
  public func text(_ key: CalibrationText, _ language: Language, _ values: [String: String] = [:]) -> String {
    // Every key is there: `init` has seen to it.
    values.reduce(texts[key.rawValue]?[language] ?? key.rawValue) { text, value in
      text.replacing("{\(value.key)}", with: value.value)
    }
  }

  private var problem: String? {
    let parts = steps.flatMap(\.parts)
    if version != 1 { return "version \(version) is not known here" }
    if !(1...10).contains(attempts) { return "attempts must be from 1 to 10" }
    if !(1...120).contains(patience) { return "patience must be from 1 to 120 seconds" }
    if parts.isEmpty || steps.contains(where: { $0.parts.isEmpty }) { return "a step has no parts" }
    if !parts.allSatisfy({ (0...60).contains($0.prepare) && (0.5...60).contains($0.seconds) }) {
      return "prepare must be from 0 to 60 seconds, seconds from 0.5 to 60"
    }
    if !parts.allSatisfy({ (1...10).contains($0.times ?? 1) }) { return "times must be from 1 to 10" }
    return CalibrationText.allCases.first { texts[$0.rawValue] == nil }.map { "the text “\($0.rawValue)” is missing" }
  }
}

/// What is told besides the prompts; the keys of the script's `texts`.
public enum CalibrationText: String, Sendable, CaseIterable {
  case step, getReady, now, seenPurses, noFaceYet, keys
  case lostFace, moved, noTilt, otherSide, tooFewPurses, noTalk, noSmile
  case saved, notSaved, tiltResult, talkTilts, purseClear, purseFair, pursePoor, purseRates, couplingLower, purseTilts
  case tiltNotMeasured, purseNotMeasured, talkNotMeasured
  case refusedNothing, refusedNoFace, refusedNoTilt, refusedTremble, refusedPurseTilts, refusedNoPurse
  case refusedPurseLikeRest, refusedPurseLikeTalk, refusedTrial, refusedEnded
  case left, right
}

public struct CalibrationScriptError: Error, Sendable, Equatable, CustomStringConvertible {
  public let path: String
  public let reason: String

  public var description: String { "\(path): \(reason); reinstall faceplay, or correct it" }
}
