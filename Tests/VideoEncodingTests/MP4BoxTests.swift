// Boxes of our own among an MP4 file's, found whatever the file is like.
import Fixtures
import Foundation
import Testing

@testable import VideoEncoding

@Suite("MP4 boxes")
struct MP4BoxTests {
  private let name = (0..<16).map { UInt8($0 * 3 + 1) }
  private let content = Array("a run".utf8)
  private var box: [UInt8] { MP4Box(name: name, content: content).bytes }

  private func find(in bytes: [UInt8], longest: Int = 100) -> [UInt8]? {
    MP4Box(named: name, size: Int64(bytes.count), longest: longest) { offset, count in
      Array(bytes[min(Int(offset), bytes.count)..<min(Int(offset) + count, bytes.count)])
    }?.content
  }

  private func bigEndian(_ value: UInt64, _ bytes: Int) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0.suffix(bytes)) }
  }

  /// A box with a size of 32 bits, true or not.
  private func box(_ type: String, size: UInt32, _ content: [UInt8] = []) -> [UInt8] {
    bigEndian(UInt64(size), 4) + Array(type.utf8) + content
  }

  @Test(
    "Behind any video the box is found, and ffprobe and ffmpeg pass over it", arguments: ["frag_keyframe", "faststart"])
  func found(flags: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("a.mp4")
    try run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", Checkout.demo, "-frames:v", "60", "-g", "30", "-movflags", flags, "-y", path])
    let video = try scratch.bytes(of: "a.mp4")
    #expect(find(in: video) == nil && MP4Box.isBeginning(video))
    let whole = video + box
    #expect(find(in: whole) == content)
    _ = try scratch.write(whole, to: "b.mp4")
    try run("ffmpeg", ["-v", "error", "-xerror", "-i", scratch.path("b.mp4"), "-f", "null", "-"])
    let packets = try run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of",
        "csv=p=0", scratch.path("b.mp4"),
      ])
    #expect(packets == "60\n")
    // Cut anywhere in the box, it is none; cut before it, the video is what it was.
    for length in video.count..<whole.count { #expect(find(in: Array(whole[..<length])) == nil) }
  }

  @Test("Of several boxes the last whole one counts, and others' names are no matter")
  func several() {
    let other = MP4Box(name: name.reversed(), content: [1]).bytes
    let second = MP4Box(name: name, content: [2]).bytes
    #expect(find(in: box + second + other) == [2])
    #expect(find(in: box + other + second.dropLast()) == content)
    #expect(find(in: other) == nil && find(in: []) == nil)
  }

  @Test("Sizes of 64 bits and to the end of the file are understood")
  func sizes() {
    let long = bigEndian(1, 4) + Array("uuid".utf8) + bigEndian(UInt64(32 + content.count), 8) + name + content
    #expect(find(in: long + box("free", size: 8)) == content)
    #expect(find(in: box("free", size: 12, [0, 0, 0, 0]) + box("uuid", size: 0, name + content)) == content)
    #expect(find(in: box("mdat", size: 0) + box) == nil)
    #expect(find(in: MP4Box(name: name, content: []).bytes) == [])
  }

  @Test(
    "A size that no box can have ends the search",
    arguments: [2, 7, 9, 23, 1 << 31, .max] as [UInt32])
  func hostile(size: UInt32) {
    #expect(find(in: box("uuid", size: size, name) + box) == nil)
    // 9 and 23 are sizes that other boxes can have, and what follows them is none.
    #expect(find(in: box("free", size: size) + box) == nil)
    #expect(find(in: box + box("free", size: size)) == content)
  }

  @Test("A size of 64 bits may be anything", arguments: [0, 1, 15, 31, 1 << 32, 1 << 63, .max - 7, .max] as [UInt64])
  func hostile(size: UInt64) {
    let bytes = bigEndian(1, 4) + Array("uuid".utf8) + bigEndian(size, 8) + name
    #expect(find(in: bytes + content) == nil)
    #expect(find(in: box + bytes) == content)
  }

  @Test("More content than is wanted, and more boxes than any recording has, are not read")
  func limits() {
    #expect(find(in: box, longest: content.count) == content)
    #expect(find(in: box, longest: content.count - 1) == nil)
    let empty = box("free", size: 8)
    var boxes = 0
    let found = MP4Box(named: name, size: .max, longest: 100) { _, _ in
      boxes += 1
      return empty
    }
    #expect(found == nil && boxes == MP4Box.Limits.boxes)
  }

  @Test("A file that shrinks while it is read has no box")
  func shrinking() {
    let found = MP4Box(named: name, size: Int64(box.count), longest: 100) { [box] offset, _ in
      offset == 0 ? Array(box[..<24]) : []
    }
    #expect(found == nil)
  }
}
