// Profiles on the disk: kept whole, and never lost.
import Foundation
import GestureStream
import Gestures
import Glibc
import Testing

@testable import Calibration

/// A folder of profiles of its own for one test, gone with it.
final class ProfileFolder {
  let path: String
  let store: ProfileStore

  init(_ path: String = FileManager.default.temporaryDirectory.appending(path: "faceplay-\(UUID())").path()) {
    self.path = path
    store = ProfileStore(folder: path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] }

  func put(_ text: String, in name: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file(name)))
  }

  func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }
}

/// Whether this process may mount file systems, as tests of full and read-only disks must.
let mayMount: Bool = {
  let folder = FileManager.default.temporaryDirectory.appending(path: "faceplay-\(UUID())").path()
  guard getuid() == 0, mkdir(folder, 0o700) == 0 else { return false }
  defer { rmdir(folder) }
  guard mount("tmpfs", folder, "tmpfs", 0, "size=64k") == 0 else { return false }
  return umount(folder) == 0
}()

@Suite("Profile store")
struct ProfileStoreTests {
  private let folder = ProfileFolder()
  private let anna = try! ProfileName("anna")

  private var profile: Profile {
    Profile(name: "anna", neutral: nil, sensitivity: Sensitivity(tilt: 60, purse: 45))
  }

  @Test("A profile that was never saved is none")
  func absent() async throws {
    #expect(try await folder.store.load(anna) == nil)
    #expect(try await folder.store.names().isEmpty)
    await #expect(throws: ProfileError.unknown("anna", known: [])) { try await folder.store.delete(anna) }
  }

  @Test("What is saved is there for every store after, and can be deleted")
  func saved() async throws {
    try await folder.store.save(profile)
    let later = ProfileStore(folder: folder.path)
    #expect(try await later.load(anna) == profile)
    #expect(folder.files == ["anna.json"])
    try await later.delete(anna)
    #expect(folder.files == [])
  }

  @Test("Saving replaces; adding refuses to")
  func replaced() async throws {
    try await folder.store.save(profile)
    var changed = profile
    changed.jump.allowsDouble = false
    await #expect(throws: ProfileError.exists("anna")) { try await folder.store.add(changed) }
    #expect(try await folder.store.load(anna) == profile)
    try await folder.store.save(changed)
    #expect(try await folder.store.load(anna) == changed)
  }

  @Test("Names are what the profiles' files are called, sorted; other files are left alone")
  func names() async throws {
    for name in ["zoe.json", "anna.json", "notes.txt", ".faceplay-1.part", "anna.json.broken-1", "low.json"] {
      try folder.put("", in: name)
    }
    #expect(try await folder.store.names().map(\.description) == ["anna", "zoe"])
  }

  @Test("A file that was renamed by hand bears its new name")
  func renamed() async throws {
    try await folder.store.save(profile)
    try FileManager.default.moveItem(atPath: folder.file("anna.json"), toPath: folder.file("berta.json"))
    #expect(try await folder.store.load(ProfileName("berta"))?.name == "berta")
  }

  @Test("Names that are canonically equivalent are one profile")
  func equivalent() async throws {
    try await folder.store.save(Profile(name: "Zoe\u{308}"))
    try await folder.store.save(Profile(name: "Zo\u{EB}", sensitivity: Sensitivity(tilt: 80)))
    #expect(folder.files.count == 1)
    #expect(try await folder.store.load(ProfileName("Zoe\u{308}"))?.sensitivity.tilt == 80)
  }

  @Test("A profile that cannot work is not saved, and what was there stays")
  func unworkable() async throws {
    try await folder.store.save(profile)
    var broken = profile
    broken.tilt.left.begin = .nan
    await #expect(throws: ProfileError.self) { try await folder.store.save(broken) }
    await #expect(throws: ProfileError.reservedName("high")) { try await folder.store.save(Profile(name: "high")) }
    #expect(try await folder.store.load(anna) == profile)
  }

  static let notProfiles = [
    "", "{", "null", "[]", "\u{0}{\u{0}}", "{\"name\":\"anna\"}", String(repeating: "[", count: 60_000),
    String(repeating: "{\"tilt\":", count: 8000), "{\"version\":1e999,\"name\":\"anna\"}", "{\"version\":\"2\"}",
    String(repeating: " ", count: 70_000),
  ]

  @Test("A file that is no profile is reported when it is loaded, and kept aside", arguments: notProfiles)
  func broken(text: String) async throws {
    try folder.put(text, in: "anna.json")
    let error = await #expect(throws: ProfileError.self) { try await folder.store.load(anna) }
    guard case .setAside(folder.file("anna.json"), let reason, folder.file("anna.json.broken-1")) = error else {
      Issue.record("\(error!)")
      return
    }
    #expect(!reason.isEmpty)
    #expect(try folder.text("anna.json.broken-1") == text)
    #expect(try await folder.store.load(anna) == nil)
  }

  @Test("Each broken file is kept under a name of its own")
  func brokenTwice() async throws {
    for text in ["one", "two"] {
      try folder.put(text, in: "anna.json")
      try await folder.store.save(profile)
    }
    #expect(folder.files == ["anna.json", "anna.json.broken-1", "anna.json.broken-2"])
    #expect(try folder.text("anna.json.broken-1") == "one" && folder.text("anna.json.broken-2") == "two")
  }

  @Test("A hand-made profile with a setting that cannot work stays to be corrected, and is kept when overwritten")
  func handMade() async throws {
    let text = String(decoding: try profile.json(), as: UTF8.self).replacing("\"curve\" : 1.5", with: "\"curve\" : 99")
    try folder.put(text, in: "anna.json")
    await #expect { try await folder.store.load(anna) } throws: { "\($0)".contains("tilt.curve is 99.0") }
    #expect(folder.files == ["anna.json"])
    try await folder.store.save(profile)
    #expect(try folder.text("anna.json.broken-1") == text)
  }

  @Test("A newer version's file is refused with a reason, and neither loading nor saving touches it")
  func future() async throws {
    let text = #"{"version":3,"name":"anna","magic":true}"#
    try folder.put(text, in: "anna.json")
    let error = ProfileError.futureVersion(path: folder.file("anna.json"), version: 3)
    await #expect(throws: error) { try await folder.store.load(anna) }
    await #expect(throws: error) { try await folder.store.save(profile) }
    #expect(try folder.text("anna.json") == text && folder.files == ["anna.json"])
  }

  @Test("A huge file is not read whole, and is kept aside")
  func huge() async throws {
    try folder.put("", in: "anna.json")
    #expect(truncate(folder.file("anna.json"), 1 << 40) == 0)
    await #expect { try await folder.store.load(anna) } throws: { "\($0)".contains("larger than 65536 bytes") }
    #expect(folder.files == ["anna.json.broken-1"])
  }

  @Test("What is no regular file is neither waited for nor replaced", arguments: ["fifo", "folder", "device", "loop"])
  func special(kind: String) async throws {
    let path = folder.file("anna.json")
    try folder.put("", in: "other")
    switch kind {
    case "fifo": #expect(mkfifo(path, 0o600) == 0)
    case "folder": #expect(mkdir(path, 0o700) == 0)
    case "device": #expect(symlink("/dev/zero", path) == 0)
    default: #expect(symlink("anna.json", path) == 0)
    }
    for _ in 0..<2 {
      await #expect { try await folder.store.load(anna) } throws: {
        if case .unreadable(path, _) = $0 as? ProfileError { true } else { false }
      }
      await #expect(throws: ProfileError.self) { try await folder.store.save(profile) }
    }
    #expect(folder.files == ["anna.json", "other"])
  }

  @Test("Where no folder can be made, saving says so")
  func noFolder() async throws {
    try folder.put("", in: "file")
    let store = ProfileStore(folder: folder.file("file/profiles"))
    await #expect { try await store.save(profile) } throws: { ($0 as? ProfileSaveError)?.cause.kind == .notAFile }
    // Where nobody may make folders, root neither.
    let kernel = ProfileStore(folder: "/proc/faceplay/profiles")
    await #expect(throws: ProfileSaveError.self) { try await kernel.save(profile) }
  }

  @Test("In a folder one may not write to, saving says so and the old profile stays")
  func readOnlyFolder() async throws {
    try await folder.store.save(profile)
    try #require(chmod(folder.path, 0o500) == 0)
    defer { chmod(folder.path, 0o700) }
    guard getuid() != 0 else { return }
    await #expect { try await folder.store.save(profile) } throws: {
      ($0 as? ProfileSaveError)?.cause.kind == .noPermission
    }
    #expect(try await folder.store.load(anna) == profile)
  }

  @Test(
    "On a full disk saving says so, the old profile stays whole and nothing is left behind; on a read-only one too",
    .enabled(if: mayMount, "skipped: this user may not mount file systems"))
  func disks() async throws {
    try folder.put("", in: "other")
    let disk = ProfileFolder(folder.file("disk"))
    try #require(mkdir(disk.path, 0o700) == 0 && mount("tmpfs", disk.path, "tmpfs", 0, "size=64k") == 0)
    defer { umount(disk.path) }
    try await disk.store.save(profile)
    try disk.put("", in: "filler")
    let filler = try #require(FileHandle(forWritingAtPath: disk.file("filler")))
    while (try? filler.write(contentsOf: Data(count: 4096))) != nil {}
    var changed = profile
    changed.sensitivity.tilt = 10
    await #expect { try await disk.store.save(changed) } throws: { ($0 as? ProfileSaveError)?.cause.kind == .diskFull }
    #expect(disk.files == ["anna.json", "filler"])
    #expect(try await disk.store.load(anna) == profile)

    try filler.close()
    let remounted = mount(nil, disk.path, nil, UInt(MS_REMOUNT | MS_RDONLY), nil)
    #expect(remounted == 0, "\(String(cString: strerror(errno)))")
    await #expect { try await disk.store.save(changed) } throws: {
      ($0 as? ProfileSaveError)?.cause.kind == .readOnlyFileSystem
    }
    #expect(try await disk.store.load(anna) == profile)
  }

  @Test("Profiles are under XDG_DATA_HOME where that is a full path, else under ~/.local/share")
  func place() {
    let environments = [
      ["XDG_DATA_HOME": "/data"], ["XDG_DATA_HOME": "data"], ["XDG_DATA_HOME": ""], [:], ["HOME": "/mnt/anna"],
    ]
    let paths = environments.map { ProfileStore.folder(environment: $0, home: "/home/anna/") }
    let home = "/home/anna/.local/share/faceplay/profiles"
    #expect(
      paths == ["/data/faceplay/profiles", home, home, home, "/mnt/anna/.local/share/faceplay/profiles"])
  }
}

@Suite("Profile store, killed")
struct ProfileStoreKillTests {
  static let saver: String = {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: "ProfileSaver").path()
  }()

  @Test("Killed a thousand times while it saves, it leaves the old or the new profile whole")
  func killed() async throws {
    let folder = ProfileFolder()
    let name = try ProfileName("player")
    try await folder.store.save(Profile(name: "player", sensitivity: Sensitivity(tilt: 0)))
    var found: [Double: Int] = [:]
    var hitAmidSave = 0
    for round in 0..<1000 {
      try killSaver(after: useconds_t(round % 20 * 50), in: folder.path)
      let profile = try #require(try await folder.store.load(name))
      found[profile.sensitivity.tilt, default: 0] += 1
      let parts = folder.files.count { $0.hasSuffix(".part") }
      // The next save removes what is left of the one before.
      #expect(parts <= 1)
      hitAmidSave += parts
    }
    #expect(found.keys.allSatisfy { [0, 100].contains($0) })
    #expect(hitAmidSave > 0)
    #expect(!folder.files.contains { $0.contains("broken") })
  }

  /// Starts a saver and kills it so many microseconds after it has begun to save.
  private func killSaver(after delay: useconds_t, in folder: String) throws {
    var pipe: [Int32] = [0, 0]
    try #require(Glibc.pipe(&pipe) == 0)
    defer { close(pipe[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO)
    var process = pid_t()
    posix_spawn_file_actions_addclose(&actions, pipe[0])
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(Self.saver), strdup(folder), nil]
    defer { for argument in arguments { free(argument) } }
    let status = posix_spawn(&process, Self.saver, &actions, nil, &arguments, environ)
    close(pipe[1])
    try #require(status == 0)
    var byte: UInt8 = 1
    #expect(read(pipe[0], &byte, 1) == 1)
    usleep(delay)
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }
}
