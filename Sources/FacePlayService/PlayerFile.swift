// What the page remembers of a player beside the profile: name, character, comforts and best times.
import CosmicAdventure
import FoundationEssentials
import GestureStream
import WebService

/// `NAME.json` in `$XDG_DATA_HOME/faceplay/players`, NAME being the profile's.
struct PlayerFile: Sendable {
  /// The file's content.
  struct Player: Sendable, Equatable, Codable {
    var version = 1
    var nickname = "Nova"
    var character = PageSettings.Character.nova
    var pictureSize = PageSettings.PictureSize.medium
    var volume = 0.5
    var guideSeen = false
    var bestTimes = BestTimes()
  }

  /// Bytes; far beyond any player.
  private static let greatestSize = 1 << 20

  let path: String

  /// Beside the profiles' folder.
  init(profile: String, profiles: String) {
    let folder = URL(filePath: profiles).deletingLastPathComponent().appending(path: "players")
    path = folder.appending(path: "\(profile).json").path(percentEncoded: false)
  }

  /// A player not known yet where there is no file. A file that cannot be read as one is kept aside, and `nil` tells so.
  func load() -> Player? {
    guard FileManager.default.fileExists(atPath: path) else { return Player() }
    guard let bytes = try? InputFile(path: path).bytes(Self.greatestSize),
      let player = try? JSONDecoder().decode(Player.self, from: Data(bytes)), player.version == 1
    else {
      let aside = path + ".broken-\(UInt16.random(in: .min ... .max))"
      _ = try? FileManager.default.moveItem(atPath: path, toPath: aside)
      return nil
    }
    return player
  }

  /// Throws `StreamWriteError`.
  func save(_ player: Player) throws {
    let folder = URL(filePath: path).deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let file = try OutputFile(path: path)
    try file.write(Array(try encoder.encode(player)) + [UInt8(ascii: "\n")])
    try file.commit()
  }
}
