// Damaged clips: whatever the damage, reading one ends, in frames or in an error.
import Capture
import Fixtures
import Foundation
import Frames
import Testing

@Suite("Damaged clips", .timeLimit(.minutes(5)))
struct ClipRobustnessTests {
  private static let mutations = 200

  @Test(
    "No damage to a clip crashes or hangs its reader",
    arguments: [
      ["-c:v", "libx264", "-movflags", "faststart", "a.mp4"], ["-c:v", "libvpx", "a.webm"], ["a.gif"],
      ["-c:v", "mjpeg", "a.avi"], ["-c:v", "libx264", "a.ts"],
    ])
  func mutations(output: [String]) throws {
    let scratch = try Scratch()
    let name = try #require(output.last)
    let input = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1"]
    _ = try run("ffmpeg", ["-v", "error"] + input + output, in: scratch.folder)
    let whole = try scratch.bytes(of: name)
    var random = SeededRandom(seed: 1)
    var decoded = 0
    for _ in 0..<Self.mutations {
      let path = try scratch.write(mutate(whole, &random), to: "mutated")
      // Which error it is depends on where the damage is.
      guard let clip = try? ClipSource(path: path, pace: .fast) else { continue }
      var last: Int64 = -1
      while let frame = try? clip.next() {
        #expect(frame.timestamp > last)
        last = frame.timestamp
        decoded += 1
      }
    }
    #expect(decoded > 0)
  }

  /// Cuts the end off, or changes up to 8 bytes; half of the changes hit the first 1024 bytes, where headers are.
  private func mutate(_ whole: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    if Int.random(in: 0..<4, using: &random) == 0 {
      return Array(whole.prefix(Int.random(in: 0..<whole.count, using: &random)))
    }
    var bytes = whole
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let end = Bool.random(using: &random) ? min(1024, whole.count) : whole.count
      bytes[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    return bytes
  }
}
