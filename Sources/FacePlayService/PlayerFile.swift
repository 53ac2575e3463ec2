// What is remembered of a player beside the profile: name, character, comforts and best times.
import CosmicAdventure
import FoundationEssentials
import GestureStream
import Glibc
import Synchronization
import WebService

/// `NAME.json` in `$XDG_DATA_HOME/faceplay/players`, NAME being the profile's, for one process at a time: each writes what
/// it remembers, so a second one would undo what the first one's player has done.
final class PlayerFile: Sendable {
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
  /// Locked; −1 where nothing could be, and once let go.
  private let lock: Mutex<Int32>

  /// Beside the profiles' folder. Throws `PlayerInUseError`.
  init(profile: String, profiles: String) throws(PlayerInUseError) {
    let folder = URL(filePath: profiles).deletingLastPathComponent().appending(path: "players")
    path = folder.appending(path: "\(profile).json").path(percentEncoded: false)
    // Where it cannot be made, nothing can be saved either, which will be told then.
    try? OutputFolder.make(folder.path(percentEncoded: false))
    let lockPath = folder.appending(path: ".\(profile).lock").path(percentEncoded: false)
    // The system lets go of it however the process ends.
    let descriptor = open(lockPath, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    lock = Mutex(descriptor)
    // A file system without locks must do without.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw PlayerInUseError(player: profile, lock: lockPath)
    }
  }

  deinit { end() }

  /// Another process may have the player.
  func end() {
    lock.withLock { descriptor in
      close(descriptor)
      descriptor = -1
    }
  }

  /// A player not known yet where there is no file. A file that cannot be read as one is kept aside, which `log` hears.
  func load(_ log: (String) -> Void) -> Player {
    guard FileManager.default.fileExists(atPath: path) else { return Player() }
    guard let bytes = try? InputFile(path: path).bytes(Self.greatestSize),
      let player = try? JSONDecoder().decode(Player.self, from: Data(bytes)), player.version == 1
    else {
      let aside = path + ".broken-\(UInt16.random(in: .min ... .max))"
      _ = try? FileManager.default.moveItem(atPath: path, toPath: aside)
      log("\(path) was no player's file; it is kept beside under another name")
      return Player()
    }
    return player
  }

  /// Throws `StreamWriteError`.
  func save(_ player: Player) throws {
    try OutputFolder.make(URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let file = try OutputFile(path: path)
    try file.write(Array(try encoder.encode(player)) + [UInt8(ascii: "\n")])
    try file.commit()
  }
}

/// Another process has the player.
public struct PlayerInUseError: Error, Sendable, Equatable, CustomStringConvertible {
  public let player: String
  let lock: String

  public var description: String {
    "another faceplay plays as “\(player)” already (see fuser -v \"\(lock)\"); end that one, or play with another profile "
      + "(--profile)"
  }
}
