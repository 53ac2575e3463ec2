// A clip in real time, and stopping one.
import Capture
import Foundation
import Frames
import Testing

@Suite("Clips in real time", .timeLimit(.minutes(1)))
struct ClipPacingTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test("In real time no frame comes before its time, and times are on the monotonic clock")
  func pacing() throws {
    let path = try scratch.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=50:d=0.2", "-c:v", "libx264", "a.mp4")
    let clip = try ClipSource(path: path, pace: .realTime)
    let before = MonotonicClock.now
    let first = try #require(try clip.next())
    #expect((before...MonotonicClock.now).contains(first.timestamp))
    var times = [first.timestamp]
    while let frame = try clip.next() {
      #expect(MonotonicClock.now >= frame.timestamp)
      times.append(frame.timestamp)
    }
    #expect(times.count == 10)
    // More where the machine stood still meanwhile.
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 20_000_000 })
  }

  @Test("Cancelling ends the wait for a frame that is due in half an hour")
  func cancelWait() async throws {
    let path = try scratch.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=1:d=2", "-vf", "setpts=N*1800/TB", "-vsync", "vfr", "-c:v", "libx264",
      "slow.mkv")
    let clip = try ClipSource(path: path, pace: .realTime)
    #expect(try clip.next() != nil)
    let second = Task.detached {
      try await withCheckedThrowingContinuation { done in
        Thread.detachNewThread { done.resume(with: Swift.Result { try clip.next()?.index }) }
      }
    }
    clip.cancel()
    #expect(try await second.value == nil)
  }

  @Test("A cancelled clip gives no more frames", arguments: [ClipSource.Pace.fast, .realTime])
  func cancelled(pace: ClipSource.Pace) throws {
    let path = try scratch.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=50:d=0.2", "-c:v", "libx264", "a.mp4")
    let clip = try ClipSource(path: path, pace: pace)
    clip.cancel()
    clip.cancel()
    #expect(try clip.next() == nil)
    #expect(try clip.next() == nil)
  }
}
