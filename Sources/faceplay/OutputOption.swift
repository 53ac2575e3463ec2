// Where output goes, and that nothing which is there is written over.
import FacePlayService
import GestureStream
import Glibc

extension Arguments {
  /// What `-o` names, where no file is yet. With `extensions`, its name must end in one of them. Throws `UsageError`, also
  /// for the source itself, and `StreamWriteError` for what can be no new file: better before the work than after.
  func output(_ extensions: [String]? = nil) throws -> String {
    guard let path = self["-o"], !path.isEmpty else { throw UsageError.noOutput }
    try check(path, of: "-o", extensions)
    try OutputFile.checkNew(path)
    return path
  }

  /// Where `--record` keeps runs; throws as `output` does.
  func runFile() throws -> String? {
    guard let path = self["--record"] else { return nil }
    try check(path, of: "--record", [".mp4", ".json"])
    try RunFiles.check(path)
    return path
  }

  private func check(_ path: String, of option: String, _ extensions: [String]?) throws(UsageError) {
    if let extensions, !extensions.contains(fileExtension(of: path)) {
      throw .badValue(option: option, value: path, must: "be a name that ends in \(extensions.alternatives)")
    }
    if let source = try sourceName(), isSameFile(path, source) { throw .sameFile(path) }
  }
}

/// In small letters and with its point; empty for `-`, `/dev/stdout` and all other names without one.
func fileExtension(of path: String) -> String {
  let name = path.split(separator: "/").last ?? ""
  // A leading point hides a file, it begins no extension.
  return name.dropFirst().lastIndex(of: ".").map { name[$0...].lowercased() } ?? ""
}

/// Whether both names lead to one file.
func isSameFile(_ first: String, _ second: String) -> Bool {
  var (one, other) = (stat(), stat())
  guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino
}
