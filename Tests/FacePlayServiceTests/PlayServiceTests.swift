// The service as pages meet it: what they ask, what they are told, and what stays on disk.
import Calibration
import CosmicAdventure
import Fixtures
import Foundation
import Gestures
import Testing

@testable import FacePlayService

private func play(_ level: String) -> String { #"{"type":"game","action":"start","level":"\#(level)"}"# }
private func game(_ action: String) -> String { #"{"type":"game","action":"\#(action)"}"# }

@Suite("Play service: the game", .serialized)
final class PlayServiceGameTests: ServedTests {
  @Test("With a face before the camera a game counts down and plays; a lost face pauses it, its return counts down")
  func face() throws {
    #expect(page.seesFace())
    page.send(play("gentle"))
    #expect(page.content("level")?.text("name") == "gentle")
    #expect(page.world(in: "countdown")?.number("countdown") == 3)
    #expect(page.world { $0["phase"] as? String == "playing" && $0.number("tick") ?? 0 > 10 } != nil)
    service.camera.face = nil
    #expect(page.world(in: "waiting") != nil)
    service.camera.face = SyntheticFace()
    #expect(page.world(in: "countdown")?.number("tick") ?? 0 > 10)
  }

  @Test("A game is paused, and goes on after a countdown, when its page says so")
  func pause() throws {
    #expect(page.seesFace())
    page.send(play("gentle"))
    #expect(page.world(in: "countdown") != nil)
    page.send(game("pause"))
    #expect(page.world(in: "paused") != nil)
    page.send(game("resume"))
    #expect(page.world(in: "countdown") != nil)
  }

  @Test("A game that is given up is over, and no best time")
  func quit() throws {
    page.send(play("gentle"))
    page.send(game("quit"))
    let world = page.world(in: "over")
    #expect(world?.text("outcome.verdict") == "quit")
    #expect(world?[path: "outcome.isBest"] as? Bool == false)
  }

  @Test("A level that there is not is refused")
  func noLevel() throws {
    page.send(play("nowhere"))
    #expect(page.next("error")?.text("code") == "refused")
  }

  @Test("A respawn brings the player back")
  func respawn() throws {
    page.send(play("trial"))
    #expect(page.world { $0.number("tick") ?? 0 > 10 }?.number("players.0.respawns") == 0)
    page.send(game("respawn"))
    #expect(page.world { $0.number("players.0.respawns") == 1 } != nil)
  }

  @Test("A trial goes on whether a face is seen or not, and whatever is said")
  func trial() throws {
    #expect(page.seesFace())
    page.send(play("trial"))
    page.send(game("pause"))
    service.camera.face = nil
    #expect(page.next("event") { $0.text("phase") == "lost" } != nil)
    let tick = page.world()?.number("tick") ?? 0
    let later = page.world { $0.number("tick") ?? 0 > tick + 60 }
    #expect(later?["phase"] as? String == "playing")
  }

  @Test("When the last page goes the game is paused, and the next page finds it so")
  func nobodyControls() throws {
    #expect(page.seesFace())
    page.send(play("gentle"))
    #expect(page.world(in: "countdown") != nil)
    page.leave()
    let next = try service.page()
    #expect(next.content("level")?.text("name") == "gentle")
    #expect(next.world()?.text("phase") == "paused")
  }

  @Test("What a page that joins is told of the game goes to it alone")
  func joining() throws {
    page.send(play("gentle"))
    #expect(page.next("level") != nil)
    let other = try service.page()
    #expect(other.content("level")?.text("name") == "gentle")
    #expect(!page.types(during: 10).contains("level"))
  }

  @Test("A page that goes while another stays takes nothing with it: the other controls and the game goes on")
  func succession() throws {
    let other = try service.page()
    #expect(page.seesFace())
    page.send(play("gentle"))
    #expect(other.world(in: "countdown") != nil)
    page.leave()
    #expect(other.next("control") { $0["controls"] as? Bool == true } != nil)
    #expect(other.world(in: "playing") != nil)
  }
}

@Suite("Play service: runs that are kept")
struct PlayServiceRunsTests {
  @Test("Each run on the page is kept with its video: one that is given up, and one that the service's end cuts short")
  func kept() throws {
    let service = try RunningService(runs: "run.mp4")
    defer { service.stop() }
    let page = try service.page()
    #expect(page.seesFace())
    let isUnderWay = { (world: ServedPage.Message) in
      world["phase"] as? String == "playing" && world.number("tick") ?? 0 > 60
    }
    page.send(play("gentle"))
    #expect(page.world(where: isUnderWay) != nil)
    page.send(game("quit"))
    #expect(page.next("saved")?.text("name") == service.file("run.mp4").path(percentEncoded: false))
    page.send(play("orbit"))
    #expect(page.world { $0["phase"] as? String == "countdown" } != nil)
    #expect(page.world(where: isUnderWay) != nil)
    service.end()
    let runs = try ["run.mp4", "run-2.mp4"].map {
      try RunRecord(contentsOf: service.file($0).path(percentEncoded: false))
    }
    #expect(runs.map(\.level) == ["gentle", "orbit"])
    #expect(runs.allSatisfy { $0.ticks > 60 && $0.video?.first?.tick == 0 })
    for file in ["run.mp4", "run-2.mp4"] {
      _ = try RunReplay(contentsOf: service.file(file).path(percentEncoded: false), data: DataFiles())
    }
  }

  @Test("What is tried in the settings, or never begins, is kept nowhere")
  func nothingKept() throws {
    let service = try RunningService(runs: "run.mp4")
    defer { service.stop() }
    let page = try service.page()
    #expect(page.seesFace())
    page.send(play("trial"))
    #expect(page.world { $0.number("tick") ?? 0 > 60 } != nil)
    page.send(play("gentle"))
    #expect(page.world(in: "countdown") != nil)
    page.send(game("quit"))
    #expect(page.world(in: "over") != nil)
    service.end()
    let files = try FileManager.default.contentsOfDirectory(atPath: service.folder.path())
    #expect(!files.contains { $0.hasPrefix("run") })
  }
}

@Suite("Play service: the game without a face", .serialized)
final class PlayServiceFacelessTests: ServedTests {
  init() throws { try super.init(face: nil) }

  @Test("A game waits")
  func waits() throws {
    page.send(play("gentle"))
    #expect(page.world()?.text("phase") == "waiting")
  }

  @Test("A key that is not said again stops steering by itself")
  func keyLease() throws {
    page.send(play("trial"))
    page.send(#"{"type":"steer","value":0.5}"#)
    let moving = page.world { $0.number("players.0.vx") ?? 0 > 0 }
    #expect(moving != nil)
    #expect(page.world { $0.number("players.0.vx") == 0 } != nil)
  }
}

@Suite("Play service: settings and files", .serialized)
final class PlayServiceFileTests: ServedTests {
  private func set(_ settings: String) -> String { #"{"type":"setSettings","settings":\#(settings)}"# }

  @Test("A change of settings is told to all pages and kept: a preset's player gets a profile of their own")
  func settings() throws {
    let watcher = try service.page()
    page.send(set(#"{"sensitivity":{"tilt":80},"nickname":"하나","volume":0.25}"#))
    for page in [page, watcher] {
      let told = page.content("settings") { $0.number("sensitivity.tilt") == 80 }
      #expect(told?.text("profile") == "mine" && told?.text("nickname") == "하나" && told?.number("volume") == 0.25)
    }
    service.end()
    let profiles = try FileManager.default.contentsOfDirectory(atPath: service.file("profiles").path())
    #expect(profiles == ["mine.json"])
    let kept = try Profile.read(service.file("profiles/mine.json").path())
    #expect(kept?.sensitivity.tilt == 80)
    let player = try service.player("mine")
    #expect(player.nickname == "하나" && player.volume == 0.25)
  }

  @Test("Of many changes in a row the last is the one that is kept")
  func slider() throws {
    for tilt in 1...60 { page.send(set(#"{"sensitivity":{"tilt":\#(tilt)}}"#)) }
    #expect(page.content("settings") { $0.number("sensitivity.tilt") == 60 } != nil)
    service.end()
    #expect(try Profile.read(service.file("profiles/mine.json").path())?.sensitivity.tilt == 60)
  }

  @Test(
    "A setting beyond its limits is an error and changes nothing",
    arguments: [
      #"{"sensitivity":{"tilt":101}}"#, #"{"curve":9}"#, #"{"nickname":" "}"#, #"{"character":"zzz"}"#,
      #"{"volume":-1,"guideSeen":true}"#,
    ])
  func invalid(change: String) throws {
    let before = page.content("settings")
    page.send(set(change))
    #expect(page.next("error")?.text("code") == "invalidMessage")
    page.send(#"{"type":"getSettings"}"#)
    #expect(page.content("settings") as NSDictionary? == before as NSDictionary?)
  }

  @Test("A calibration leads on with its prompts, in the page's language, until it is cancelled")
  func calibration() throws {
    page.send(#"{"type":"calibration","action":"start","language":"ko"}"#)
    let prompt = page.content("calibration") { $0.text("phase") == "preparing" }?.text("prompt")
    #expect(prompt?.unicodeScalars.contains { (0xac00...0xd7a3).contains($0.value) } == true)
    #expect(page.content("calibration") { $0.text("phase") == "recording" } != nil)
    page.send(#"{"type":"calibration","action":"cancel"}"#)
    #expect(page.content("calibration") { $0.text("phase") == "idle" } != nil)
    service.end()
    #expect(!FileManager.default.fileExists(atPath: service.file("profiles/mine.json").path()))
  }

  @Test("A recording begins and ends when a page says so, and the file that is told of is there")
  func recording() throws {
    page.send(#"{"type":"record","on":true}"#)
    #expect(page.content("status") { $0["isRecording"] as? Bool == true } != nil)
    for _ in 0..<10 { #expect(page.next("frame") != nil) }
    page.send(#"{"type":"record","on":false}"#)
    let name = try #require(page.next("saved")?.text("name"))
    #expect(FileManager.default.fileExists(atPath: name))
    #expect(page.content("status") { $0["isRecording"] as? Bool == false } != nil)
  }

  @Test("A calibration that nobody sees any more ends")
  func abandonedCalibration() throws {
    page.send(#"{"type":"calibration","action":"start","language":"en"}"#)
    #expect(page.next("calibration") != nil)
    page.leave()
    #expect(!(try service.page().types(during: 10).contains("calibration")))
  }

  @Test("A recording that ends because its last page has gone is told of to the next")
  func recordingLeft() throws {
    page.send(#"{"type":"record","on":true}"#)
    #expect(page.content("status") { $0["isRecording"] as? Bool == true } != nil)
    for _ in 0..<10 { #expect(page.next("frame") != nil) }
    page.leave()
    let name = try #require(try service.page().next("saved")?.text("name"))
    #expect(FileManager.default.fileExists(atPath: name))
  }

  @Test("A recording that fails after its last page has gone is told of to the next, once, and to the log")
  func recordingFailure() throws {
    page.send(#"{"type":"record","on":true}"#)
    #expect(page.content("status") { $0["isRecording"] as? Bool == true } != nil)
    for _ in 0..<10 { #expect(page.next("frame") != nil) }
    // The files' names are no longer to be had.
    try FileManager.default.removeItem(at: service.file("recordings"))
    page.leave()
    let failure = try service.page().next("error")
    #expect(failure?.text("code") == "failed")
    #expect(service.log.lines.withLock { $0 } == [failure?.text("message")])
    #expect(!(try service.page().types(during: 10).contains("error")))
  }

  @Test("A recording that is under way at the end is finished")
  func recordingAtEnd() throws {
    page.send(#"{"type":"record","on":true}"#)
    #expect(page.content("status") { $0["isRecording"] as? Bool == true } != nil)
    for _ in 0..<10 { #expect(page.next("frame") != nil) }
    service.end()
    let files = try FileManager.default.contentsOfDirectory(atPath: service.file("recordings").path())
    #expect(Set(files.compactMap { $0.split(separator: ".").last }) == ["mp4", "jsonl"])
  }

  @Test("A photo is on disk when it is told of")
  func photo() throws {
    page.send(#"{"type":"snap"}"#)
    let name = try #require(page.next("saved")?.text("name"))
    #expect(try Data(contentsOf: URL(filePath: name)).prefix(2) == Data([0xff, 0xd8]))
  }
}

@Suite("Play service: the player's file at the start", .serialized)
struct PlayServiceStartTests {
  @Test("A player's file that is none is kept aside, and the log says so")
  func broken() throws {
    let service = try RunningService(player: "no player")
    defer { service.stop() }
    #expect(try service.page().content("settings")?.text("nickname") == "Nova")
    let files = try FileManager.default.contentsOfDirectory(atPath: service.file("players").path())
    #expect(!files.contains("mine.json"))
    let kept = try #require(files.first { $0.hasPrefix("mine.json.broken-") })
    #expect(try String(contentsOf: service.file("players/\(kept)"), encoding: .utf8) == "no player")
    #expect(service.log.lines.withLock { $0.count { $0.contains("mine.json") } } == 1)
  }

  @Test("A second service for the same player is told so and does no harm; when the first has ended it may")
  func inUse() throws {
    let first = try RunningService()
    defer { first.stop() }
    #expect { try RunningService(in: first.folder) } throws: { error in
      (error as? PlayerInUseError)?.player == "mine" && "\(error)".contains("--profile")
    }
    let page = try first.page()
    page.send(#"{"type":"setSettings","settings":{"nickname":"First"}}"#)
    #expect(page.content("settings") { $0.text("nickname") == "First" } != nil)
    first.end()
    let second = try RunningService(in: first.folder)
    defer { second.stop() }
    #expect(try second.page().content("settings")?.text("nickname") == "First")
  }

  @Test("Services for two players on the same folder keep out of each other's way")
  func otherPlayer() throws {
    let first = try RunningService()
    defer { first.stop() }
    var profile = Profile()
    profile.name = "anna"
    let second = try RunningService(profile, in: first.folder)
    defer { second.stop() }
    for (service, name) in [(first, "First"), (second, "Anna")] {
      let page = try service.page()
      page.send(#"{"type":"setSettings","settings":{"nickname":"\#(name)"}}"#)
      #expect(page.content("settings") { $0.text("nickname") == name } != nil)
    }
    first.end()
    second.end()
    for (player, name) in [("mine", "First"), ("anna", "Anna")] {
      #expect(try first.player(player).nickname == name)
    }
  }
}

@Suite("Play service: status, cost and end", .serialized)
final class PlayServiceStatusTests: ServedTests {
  @Test("A page is told what delivers, how fast, and that nothing is wrong")
  func status() throws {
    let status = page.content("status")
    #expect(status?.text("source") == "synthetic" && status?.number("rate") == 30)
    #expect(status?["isRecording"] as? Bool == false && status?["trouble"] == nil)
  }

  @Test("While the tracker is blocked leases end, the page and healthz say so, and both recover")
  func blocked() throws {
    #expect(page.seesFace())
    service.camera.face = .tilted(25)
    #expect(page.next("event") { $0.text("event") == "tilt" && $0.text("phase") == "begin" } != nil)
    service.camera.block()
    #expect(page.next("event") { $0.text("event") == "tilt" && $0.text("phase") == "end" } != nil)
    #expect(page.next("event") { $0.text("event") == "release" } != nil)
    #expect(page.content("status") { $0["trouble"] != nil }?.text("trouble")?.contains("no picture") == true)
    #expect(try service.get("healthz").contains("no picture"))
    service.camera.unblock()
    #expect(page.content("status") { $0["trouble"] == nil } != nil)
    #expect(try service.get("healthz") == "ok\n")
  }

  @Test("Nothing is encoded for pages that do not watch, and no longer when the last viewer looks away")
  func encoding() throws {
    func frames(_ count: Int) { for _ in 0..<count { #expect(page.next("frame") != nil) } }
    frames(10)
    #expect(try service.metric("pictures_encoded_total") == 0)
    page.send(#"{"type":"video","on":true}"#)
    #expect(page.next("video") != nil)
    frames(10)
    page.send(#"{"type":"video","on":false}"#)
    while try service.metric("viewers") != 0 {}
    // The picture that was on its way.
    frames(3)
    let encoded = try service.metric("pictures_encoded_total")
    #expect(encoded ?? 0 > 0)
    frames(10)
    #expect(try service.metric("pictures_encoded_total") == encoded)
  }

  @Test("A game that nobody can see costs nothing: a trial ends with its last page")
  func abandonedTrial() throws {
    page.send(#"{"type":"game","action":"start","level":"trial"}"#)
    #expect(page.world() != nil)
    page.leave()
    #expect(!(try service.page().types(during: 10).contains("world")))
  }

  @Test("The end closes pages as a service that goes away does")
  func end() throws {
    service.end()
    #expect(page.client.closeStatus() == 1001)
  }
}
