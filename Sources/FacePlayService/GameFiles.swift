// Levels and recorded runs on disk.
import CosmicAdventure
import FoundationEssentials
import GestureStream

extension Level {
  /// Throws `DataFileError` or `LevelFileError`.
  public static func named(_ name: String, in data: DataFiles) throws -> Level {
    let path = try data.path("levels/\(name).json")
    do {
      return try Level(json: Data(try InputFile(path: path).bytes(Self.fileSize)))
    } catch let problem as LevelProblem {
      throw LevelFileError(path: path, problem: problem)
    }
  }

  /// Bytes; far beyond any level.
  private static let fileSize = 1 << 20
}

public struct LevelFileError: Error, Sendable, Equatable, CustomStringConvertible {
  public let path: String
  public let problem: LevelProblem

  public var description: String { "\(path): \(problem)" }
}

extension RunRecord {
  /// Throws `StreamReadError` or `RunFileError`.
  public init(contentsOf path: String) throws {
    let bytes = Array(try InputFile(path: path).bytes(Constants.fileSize + 1))
    do {
      try self.init(json: bytes)
    } catch {
      throw RunFileError(path: path, problem: error)
    }
  }

  /// Throws `StreamWriteError`.
  public func write(to path: String) throws(StreamWriteError) {
    let file = try OutputFile(path: path)
    try file.write(json)
    try file.commit()
  }
}

extension RunReplay {
  /// Reads a run and proves it on its level. Throws `StreamReadError`, `RunFileError`, `DataFileError` or
  /// `LevelFileError`.
  public init(contentsOf path: String, data: DataFiles) throws {
    let record = try RunRecord(contentsOf: path)
    // Only names that come with the program lead to a file.
    guard Level.names.contains(record.level) else {
      throw RunFileError(path: path, problem: .otherLevel(record.level))
    }
    let level = try Level.named(record.level, in: data)
    do {
      try self.init(record, level: level)
    } catch {
      throw RunFileError(path: path, problem: error)
    }
  }
}

public struct RunFileError: Error, Sendable, Equatable, CustomStringConvertible {
  public let path: String
  public let problem: RunProblem

  public var description: String { "\(path) cannot be replayed: \(problem)" }
}
