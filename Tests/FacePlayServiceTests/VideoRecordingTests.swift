// Recordings as they are made live: on a thread of their own.
import FaceGeometry
import Foundation
import Frames
import GestureStream
import Testing
import VideoEncoding

@testable import FacePlayService

@Suite("Video recording")
struct VideoRecordingTests {
  private let path = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID()).mp4").path()

  private func frame(_ index: Int, side: Int = 64) -> Frame {
    Frame(
      index: index, timestamp: 1_000_000_000 + Int64(index) * 33_000_000, format: .bgr24, width: side, height: side,
      bytesPerRow: side * 3
    ) { $0.initializeMemory(as: UInt8.self, repeating: UInt8(index % 256)) }
  }

  private func observation(_ frame: Frame) -> FaceObservation {
    FaceObservation(frameIndex: frame.index, timestamp: frame.timestamp, confidence: 0, landmarks: nil)
  }

  @Test("Live, every frame is in the file or counted as dropped, and the file is closed when the end is told")
  func live() throws {
    let recording = VideoRecording(
      path: path, settings: .booth(), isLive: true, showsOverlay: true, onFile: { _ in })
    for index in 0..<40 { recording.add(frame(index), observation(frame(index))) }
    let summary = try recording.finish()
    defer { unlink(path) }
    #expect(summary.frames + summary.dropped == 40 && summary.frames >= 15)
    #expect(summary.files == [path])
    #expect(summary.bytes == Int64(try Data(contentsOf: URL(filePath: path)).count))
  }

  @Test("A recording without a frame makes no file")
  func empty() throws {
    let recording = VideoRecording(
      path: path, settings: .booth(), isLive: true, showsOverlay: false, onFile: { _ in })
    #expect(try recording.finish() == VideoRecording.Summary())
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("What keeps a recording from being written is told once, and what follows changes nothing")
  func failing() throws {
    let recording = VideoRecording(
      path: "/dev/null/run.mp4", settings: .booth(), isLive: false, showsOverlay: false, onFile: { _ in })
    recording.add(frame(0), observation(frame(0)))
    recording.add(frame(1), observation(frame(1)))
    #expect(throws: StreamWriteError(file: "/dev/null/run.mp4", code: ENOTDIR)) { try recording.check() }
    #expect(throws: StreamWriteError.self) { try recording.finish() }
  }

  @Test("Lines that came together are few texts, none longer than a sample can be, in their order")
  func text() {
    var text = RecordingText()
    for count in 0..<2000 { text.add(.end(StreamEnd(frames: count, dropped: 0, events: 0))) }
    let texts = text.take()
    #expect(texts.count == 2 && texts.allSatisfy { $0.count <= 65_535 && $0.last == UInt8(ascii: "\n") })
    let lines = texts.flatMap { $0.split(separator: UInt8(ascii: "\n")) }
    #expect(lines.count == 2000 && lines[1500].starts(with: #"{"type":"end","frames":1500"#.utf8))
    #expect(text.take().isEmpty)
  }
}
