// Where the models, presets and the demo clip are at run time.
import FoundationEssentials

/// The folders that data files are looked for in, first to last: `$FACEPLAY_DATA`, beside the executable,
/// `../share/faceplay` from there, and the checkout the executable was built in.
public struct DataFiles: Sendable {
  public let folders: [String]

  /// For this process: its environment and its executable.
  public init() {
    let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    self.init(environment: ProcessInfo.processInfo.environment, executable: executable)
  }

  init(environment: [String: String], executable: String?) {
    var folders: [String] = []
    if let data = environment["FACEPLAY_DATA"], !data.isEmpty { folders.append(data) }
    if let executable {
      let folder = URL(filePath: executable).deletingLastPathComponent()
      folders.append(folder.path(percentEncoded: false))
      folders.append(folder.deletingLastPathComponent().appending(path: "share/faceplay").path(percentEncoded: false))
      folders += Self.checkout(above: folder).map { [$0] } ?? []
    }
    self.folders = folders
  }

  /// The path of a file or folder, named as in the checkout: `models`, `calibration/presets/low.json`, `clips/demo.mp4`.
  public func path(_ name: String) throws(DataFileError) -> String {
    for folder in folders {
      let path = URL(filePath: folder).appending(path: name).path(percentEncoded: false)
      if FileManager.default.fileExists(atPath: path) { return path }
    }
    throw DataFileError(name: name, folders: folders)
  }

  private static func checkout(above folder: URL) -> String? {
    var folder = folder
    while folder.path(percentEncoded: false) != "/" {
      if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path(percentEncoded: false)) {
        return folder.path(percentEncoded: false)
      }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }
}

/// A data file that is in none of the folders.
public struct DataFileError: Error, Sendable, Equatable, CustomStringConvertible {
  public let name: String
  public let folders: [String]

  public var description: String {
    "\(name) was not found in \(folders.joined(separator: ", ")); "
      + "reinstall faceplay, or set FACEPLAY_DATA to the folder that holds it"
  }
}
