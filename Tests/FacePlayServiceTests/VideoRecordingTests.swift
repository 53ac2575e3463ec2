// Recordings as they are made live: on a thread of their own.
import FaceGeometry
import Foundation
import Frames
import GestureStream
import Gestures
import Testing
import VideoEncoding

@testable import FacePlayService

@Suite("Video recording")
struct VideoRecordingTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID())")
  private var path: String { folder.appending(path: "run.mp4").path() }

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  private func frame(_ index: Int, side: Int = 64) -> Frame {
    Frame(
      index: index, timestamp: 1_000_000_000 + Int64(index) * 33_000_000, format: .bgr24, width: side, height: side,
      bytesPerRow: side * 3
    ) { $0.initializeMemory(as: UInt8.self, repeating: UInt8(index % 256)) }
  }

  private func observation(_ frame: Frame) -> FaceObservation {
    FaceObservation(frameIndex: frame.index, timestamp: frame.timestamp, confidence: 0, landmarks: nil)
  }

  private func recording(_ path: String, isLive: Bool = false) throws -> VideoRecording {
    let source = StreamHeader.Source(kind: .camera, name: "synthetic", width: 64, height: 64, fps: 30)
    let header = StreamHeader(clock: .monotonic, source: source, landmarkModel: nil, profile: Profile())
    return try VideoRecording(
      path: path, header: header, settings: .booth(), isLive: isLive, showsOverlay: isLive, onFile: { _ in })
  }

  private func told(_ frame: Frame) -> StreamRecord {
    .frame(GestureState(frameIndex: frame.index, timestamp: frame.timestamp, signals: nil, horizontal: 0))
  }

  private var contents: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path()) } }

  private func withFolder(_ body: () throws -> Void) rethrows {
    defer { try? FileManager.default.removeItem(at: folder) }
    try body()
  }

  @Test("Live, every frame is in the file or counted as dropped, and the file is closed when the end is told")
  func live() throws {
    try withFolder {
      let recording = try recording(path, isLive: true)
      for index in 0..<40 { recording.add(frame(index), observation(frame(index))) }
      let summary = try recording.finish()
      #expect(summary.frames + summary.dropped == 40 && summary.frames >= 15)
      #expect(summary.files == [path])
      #expect(summary.bytes == Int64(try Data(contentsOf: URL(filePath: path)).count))
    }
  }

  @Test("A recording without a picture makes no file, whatever was told", arguments: [false, true])
  func empty(isLive: Bool) throws {
    try withFolder {
      for _ in 0..<20 {
        let recording = try recording(path, isLive: isLive)
        recording.tell(told(frame(0)))
        #expect(try recording.finish() == VideoRecording.Summary())
      }
      #expect(try contents == [])
    }
  }

  @Test("Recordings begun under one name, or one that a file beside has, are each kept under the next that is free")
  func sameName() throws {
    try withFolder {
      try Data("mine".utf8).write(to: folder.appending(path: "run-2.jsonl"))
      let recordings = try (0..<3).map { _ in try recording(path) }
      for recording in recordings { recording.add(frame(0), observation(frame(0))) }
      let names = try recordings.map { try $0.finish().files.map { URL(filePath: $0).lastPathComponent } }
      #expect(names == [["run.mp4"], ["run-3.mp4"], ["run-4.mp4"]])
      #expect(
        try contents.sorted() == [
          "run-2.jsonl", "run-3.jsonl", "run-3.mp4", "run-4.jsonl", "run-4.mp4", "run.jsonl", "run.mp4",
        ])
    }
  }

  @Test("The stream beside a recording that ends before its session has an end of its own, with what was left out")
  func end() throws {
    try withFolder {
      let recording = try recording(path)
      for index in [3, 4, 7] {
        recording.tell(told(frame(index)))
        recording.add(frame(index), observation(frame(index)))
      }
      _ = try recording.finish()
      var reader = try JSONLinesReader(InputFile(path: folder.appending(path: "run.jsonl").path()))
      var records: [StreamRecord] = []
      while let record = try reader.next() { records.append(record) }
      #expect(records.last == .end(StreamEnd(frames: 3, dropped: 2, events: 0)) && !reader.isCutShort)
    }
  }

  @Test("A recording that is discarded leaves nothing")
  func discarded() throws {
    try withFolder {
      let recording = try recording(path)
      recording.add(frame(0), observation(frame(0)))
      recording.add(frame(1, side: 32), observation(frame(1)))
      #expect(try contents.sorted() == ["run-2.mp4", "run.jsonl", "run.mp4"])
      recording.discard()
      #expect(try contents == [])
    }
  }

  @Test("What keeps a recording from being written is told once, and what follows changes nothing")
  func failing() throws {
    let recording = try recording("/dev/null/run.mp4")
    recording.add(frame(0), observation(frame(0)))
    recording.add(frame(1), observation(frame(1)))
    #expect(throws: StreamWriteError(file: "/dev/null/run.mp4", code: ENOTDIR)) { try recording.check() }
    #expect(throws: StreamWriteError.self) { try recording.finish() }
  }

  @Test("Lines that came together are few texts, none longer than a sample can be, in their order")
  func text() {
    var text = RecordingText()
    for index in 0..<1500 { text.add(told(frame(index))) }
    let texts = text.take()
    #expect(texts.count == 2 && texts.allSatisfy { $0.count <= 65_535 && $0.last == UInt8(ascii: "\n") })
    let lines = texts.flatMap { $0.split(separator: UInt8(ascii: "\n")) }
    #expect(lines.count == 1500 && lines[1200].starts(with: #"{"type":"frame","n":1200,"#.utf8))
    #expect(text.take().isEmpty)
  }
}
