// Recordings that a page asks for, faster than they can be made.
import Foundation
import Testing

@testable import FacePlayService

@Suite("Recordings of the page")
struct RecordingsTests {
  @Test("Recordings begun and ended in quick turn are each kept, with pictures and stream, or leave nothing")
  func quick() throws {
    let service = try RunningService()
    defer { service.stop() }
    let page = try service.page()
    for turn in 0..<40 {
      page.send(#"{"type":"record","on":true}"#)
      // Some with a picture or two, some with none.
      for _ in 0..<(turn % 3) { #expect(page.next("frame") != nil) }
      page.send(#"{"type":"record","on":false}"#)
    }
    service.end()
    let files = try FileManager.default.contentsOfDirectory(atPath: service.file("recordings").path())
    let videos = files.filter { $0.hasSuffix(".mp4") }.map { $0.dropLast(4) }
    let streams = files.filter { $0.hasSuffix(".jsonl") }.map { $0.dropLast(6) }
    #expect(videos.count >= 10 && Set(videos) == Set(streams) && files.count == 2 * videos.count)
    for video in videos {
      let size = try FileManager.default.attributesOfItem(atPath: service.file("recordings/\(video).mp4").path())[.size]
      #expect(size as? Int ?? 0 > 1000)
    }
  }
}
