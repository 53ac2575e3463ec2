// Where the checkout and the clips with truth are.
import Foundation

public enum Checkout {
  public static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL
  public static let models = root.appending(path: "models")
  /// The path of the bundled clip.
  public static let demo = root.appending(path: "clips/demo.mp4").path(percentEncoded: false)
  /// The folder of clips with truth; tests that need it are skipped without it.
  public static let cases =
    ProcessInfo.processInfo.environment["FACEPLAY_CASES"].map { URL(filePath: $0) }
    ?? root.appending(path: "../shared/cases").standardizedFileURL
  public static let hasCases = FileManager.default.fileExists(atPath: cases.path(percentEncoded: false))
}
