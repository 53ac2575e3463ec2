// Levels and recorded runs on disk.
import CosmicAdventure
import FoundationEssentials
import GestureStream
import Glibc
import VideoEncoding

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
  /// Of the box that holds a run in an MP4 file: docs/gesture-stream.md tells of it.
  private static let boxName: [UInt8] = [
    0x38, 0x20, 0xda, 0x51, 0x50, 0x01, 0x44, 0xc0, 0xb9, 0xae, 0x74, 0xba, 0x02, 0x14, 0x80, 0x05,
  ]

  /// Reads a run's own file or a video that it is in. Throws `CaptureError` where there is no file to be read, and
  /// `RunFileError`.
  public init(contentsOf path: String) throws {
    let file = try SeekableFile(path)
    do {
      guard MP4Box.isBeginning(try file.bytes(8, from: 0)) else {
        try self.init(json: try file.bytes(Constants.fileSize + 1, from: 0))
        return
      }
      let box = try MP4Box(named: Self.boxName, size: file.size, longest: Constants.fileSize) { offset, count in
        try file.bytes(count, from: offset)
      }
      guard let box else { throw RunProblem.noRun }
      try self.init(json: box.content)
    } catch let problem as RunProblem {
      throw RunFileError(path: path, problem: problem)
    }
  }

  /// Throws `StreamWriteError`.
  public func write(to path: String) throws(StreamWriteError) {
    let file = try OutputFile(path: path)
    try file.write(json)
    try file.commit()
  }

  /// Adds the run to the end of a video that is closed; where there is none, the file has nothing but the run. A failure
  /// leaves the video as it was. Throws `StreamWriteError`.
  func append(to path: String) throws(StreamWriteError) {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw StreamWriteError(file: path, code: errno) }
    defer { close(file) }
    let size = lseek(file, 0, SEEK_END)
    var rest = MP4Box(name: Self.boxName, content: json).bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        let code = errno
        _ = ftruncate(file, size)
        throw StreamWriteError(file: path, code: code)
      }
      rest = rest.dropFirst(count)
    }
    guard fsync(file) == 0 else { throw StreamWriteError(file: path, code: errno) }
  }
}

extension RunReplay {
  /// Reads a run and proves it on its level. Throws as `RunRecord` does, and `DataFileError` or `LevelFileError`.
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
