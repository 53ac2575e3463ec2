// The models directory: which files it must hold, and the checksums they must have.

import CFaceLandmarker
import FoundationEssentials

/// The networks' paths and SHA-256 digests, as `models.sha256` lists them.
struct ModelFiles: Sendable {
  struct File: Sendable {
    let path: String
    /// 32 bytes.
    let digest: [UInt8]
  }

  /// File names in the order of the shim's `FL_MODEL_…`.
  static let names = [
    "detector.onnx", "landmarks.onnx", "landmarks-lips.onnx", "landmarks-left-eye.onnx", "landmarks-right-eye.onnx",
  ]
  static let checksumFile = "models.sha256"

  /// In the order of `names`.
  let files: [File]

  /// Reads `models.sha256` in `directory`, which has `sha256sum`'s format. The networks themselves are not read here.
  init(directory: String) throws(FaceTrackerError) {
    let path = "\(directory)/\(Self.checksumFile)"
    let digests = Self.parse(try Self.read(path))
    var files: [File] = []
    for name in Self.names {
      guard let digest = digests[name] else {
        throw .modelAltered(path: path, reason: "it has no SHA-256 for \(name)")
      }
      files.append(File(path: "\(directory)/\(name)", digest: digest))
    }
    self.files = files
  }

  /// "sha256:" and the digest of the landmark network in hexadecimal: what a stream's header says of its models.
  var landmarksIdentifier: String {
    let digits = Array("0123456789abcdef")
    return files[FL_MODEL_LANDMARKS].digest.reduce(into: "sha256:") { text, byte in
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
  }

  /// The digest of each file named; lines that are not `DIGEST  NAME` are passed over.
  static func parse(_ text: String) -> [String: [UInt8]] {
    var digests: [String: [UInt8]] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let fields = line.split(separator: " ", maxSplits: 1)
      guard fields.count == 2, let digest = bytes(hexadecimal: fields[0]), digest.count == FL_SHA256_SIZE
      else { continue }
      // `sha256sum` puts a space or, for binary mode, an asterisk before the name.
      let name = fields[1].drop { $0 == " " || $0 == "*" }
      digests[String(name)] = digest
    }
    return digests
  }

  private static func bytes(hexadecimal text: Substring) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private static func read(_ path: String) throws(FaceTrackerError) -> String {
    do {
      return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    } catch {
      guard FileManager.default.fileExists(atPath: path) else { throw .modelMissing(path: path) }
      throw .modelUnreadable(path: path, reason: "not a readable file")
    }
  }
}
