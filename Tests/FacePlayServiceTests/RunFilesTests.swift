// Runs and the videos they are kept in.
import CosmicAdventure
import FaceGeometry
import Foundation
import Frames
import GestureStream
import Gestures
import Synchronization
import Testing

@testable import FacePlayService

@Suite("Runs on video")
struct RunFilesTests {
  private static let interval: Int64 = 33_333_333

  /// A session whose clock is stepped: pictures and scenes come together.
  private final class Session {
    final class Count: Sendable {
      let value = Mutex(0)
    }

    let folder = FileManager.default.temporaryDirectory.appending(path: "runs-\(UUID())")
    let files: RunFiles
    let failures = Count()
    var playthrough: Playthrough
    var time: Int64 = 5_000_000_000
    var runs: [GameRun] = []

    init(file: String? = nil) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      playthrough = Playthrough(levels: [try Level.named("gentle", in: DataFiles())], startingWith: 0)
      let source = StreamHeader.Source(kind: .camera, name: "synthetic", width: 64, height: 64, fps: 30)
      let header = StreamHeader(clock: .monotonic, source: source, landmarkModel: nil, profile: Profile())
      let failures = failures
      files = try RunFiles(path: file ?? folder.appending(path: "run.mp4").path(), header: header) {
        failures.value.withLock { $0 += 1 }
      }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path() }

    var contents: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() }
    }

    /// Pictures and closings take their time, the stepped clock none.
    func wait(until file: String, isThere: Bool) throws {
      while try contents.contains(file) != isThere { sched_yield() }
    }

    func hear(_ event: InputEvent) { playthrough.take(event, at: time) }

    func pass(seconds: Double, pictures: Bool = true) {
      let last = time + Int64(seconds * 1e9)
      while time < last {
        time += interval
        if let run = playthrough.advance(to: time) { end(run) }
        files.tell(playthrough.flow.phase, tick: playthrough.run.game.tick, at: time)
        guard pictures else { continue }
        let index = Int(time / interval)
        let frame = Frame(
          index: index, timestamp: time, format: .bgr24, width: 64, height: 64, bytesPerRow: 192
        ) { $0.initializeMemory(as: UInt8.self, repeating: UInt8(index % 256)) }
        files.tell(.frame(GestureState(frameIndex: index, timestamp: time, signals: nil, horizontal: 0)))
        files.add(frame, FaceObservation(frameIndex: index, timestamp: time, confidence: 0, landmarks: nil))
      }
    }

    func quit() { if let run = playthrough.quit() { end(run) } }

    private func end(_ run: GameRun) {
      runs.append(run)
      files.add(run)
    }
  }

  @Test("A run's video begins a second before it and holds the run, with when its ticks were played and when it stood")
  func whole() throws {
    let session = try Session()
    session.hear(.face(.found))
    session.pass(seconds: 2.05)
    // The encoder has more to do before its first picture than between others.
    try session.wait(until: "run.mp4", isThere: true)
    session.pass(seconds: 2.95)
    session.hear(.face(.lost))
    session.pass(seconds: 2)
    session.hear(.face(.found))
    session.pass(seconds: 4)
    session.quit()
    try session.files.finish()
    #expect(try session.contents == ["run.jsonl", "run.mp4"])
    let path = session.path("run.mp4")
    let record = try RunRecord(contentsOf: path)
    #expect(record.hash == session.runs[0].record.hash && record.inputs == session.runs[0].inputs)
    let marks = try #require(record.video)
    // Three seconds of countdown each time; scenes come 30 times a second.
    #expect(marks.count == 2 && marks[0].tick == 0)
    #expect(abs(marks[0].time - 1_000_000_000) < 40_000_000)
    #expect(abs(marks[1].time - marks[0].time - 7_000_000_000) < 80_000_000 && (236...244).contains(marks[1].tick))
    // Proven by its hash.
    _ = try RunReplay(contentsOf: path, data: DataFiles())
  }

  @Test("Each run has a video of its own, and a player who leaves before the first tick has none")
  func several() throws {
    let session = try Session()
    try Data("mine".utf8).write(to: session.folder.appending(path: "run-2.mp4"))
    session.hear(.face(.found))
    session.pass(seconds: 2.5)
    try session.wait(until: "run.mp4", isThere: true)
    session.hear(.face(.lost))
    session.pass(seconds: 1)
    try session.wait(until: "run.mp4", isThere: false)
    for file in ["run.mp4", "run-3.mp4"] {
      session.hear(.face(.found))
      session.pass(seconds: 4)
      try session.wait(until: file, isThere: true)
      session.quit()
      session.playthrough = Playthrough(levels: session.playthrough.levels, startingWith: 0)
    }
    session.hear(.face(.found))
    session.pass(seconds: 2.5)
    try session.files.finish()
    #expect(try session.contents == ["run-2.mp4", "run-3.jsonl", "run-3.mp4", "run.jsonl", "run.mp4"])
    for (name, run) in zip(["run.mp4", "run-3.mp4"], session.runs) {
      #expect(try RunRecord(contentsOf: session.path(name)).hash == run.record.hash)
    }
  }

  @Test("Nobody is filmed while the game stands still, nor for a run that was left before it began")
  func standing() throws {
    let session = try Session()
    session.hear(.face(.found))
    session.pass(seconds: 4)
    session.hear(.face(.lost))
    session.pass(seconds: 20)
    session.hear(.face(.found))
    session.pass(seconds: 4)
    session.quit()
    try session.files.finish()
    let lines = try String(contentsOfFile: session.path("run.jsonl"), encoding: .utf8).split(separator: "\n")
    // Of 28 s the last one of the countdown, one of play, the countdown after the return and another of play.
    let frames = lines.count { $0.contains(#""type":"frame""#) }
    #expect((150...185).contains(frames))

    let other = try Session()
    other.hear(.face(.found))
    other.pass(seconds: 2.5)
    try other.wait(until: "run.mp4", isThere: true)
    other.files.leave()
    try other.files.finish()
    #expect(try other.contents.isEmpty)
  }

  @Test("A run of which no picture came is kept all the same")
  func noPictures() throws {
    let session = try Session()
    session.hear(.face(.found))
    session.pass(seconds: 4, pictures: false)
    session.quit()
    try session.files.finish()
    #expect(try session.contents == ["run.mp4"])
    #expect(try RunRecord(contentsOf: session.path("run.mp4")) == session.runs[0].record)
  }

  @Test("A recording that fails is told of once, while the run goes on and at the end")
  func failing() throws {
    let session = try Session(file: "/dev/null/run.mp4")
    session.hear(.face(.found))
    session.pass(seconds: 4)
    // The encoder's thread may be behind.
    while session.failures.value.withLock({ $0 == 0 }) { session.pass(seconds: 0.1) }
    session.pass(seconds: 1)
    session.quit()
    #expect(throws: StreamWriteError(file: "/dev/null/run.mp4", code: ENOTDIR)) { try session.files.finish() }
    #expect(session.failures.value.withLock { $0 } == 1 && session.runs.count == 1)
  }
}
