// The camera's pictures for the pages that watch: encoded by a thread of their own.
import Frames
import Glibc
import Synchronization
import VideoEncoding
import WebService

/// Asleep while nobody watches; slower than the camera it leaves pictures out, and gestures never wait for it.
final class LivePictures: Sendable {
  /// Nanoseconds between key frames that pages ask for: many may join at once.
  private static let keyFrameInterval: Int64 = 250_000_000
  /// As of `nice`: what recognises gestures goes first.
  private static let niceness: Int32 = 5

  private let newest = NewestSlot<Frame>()
  private let wantsKeyFrame = Atomic(false)
  private let encoded = Atomic(0)
  private let thread = Mutex<WorkerThread?>(nil)

  /// Units go to `server`, their times reckoned from `start`. `onFailure` hears, once, what ended it.
  init(_ server: PageServer, onFailure: @escaping @Sendable (String) -> Void) {
    let thread = WorkerThread("pictures", niceness: Self.niceness) { [self] in
      var encoder = FrameEncoder(.preview)
      var format: VideoFormat?
      var lastKeyFrame = Int64.min
      while let frame = newest.take() {
        if wantsKeyFrame.load(ordering: .relaxed), frame.timestamp - Self.keyFrameInterval > lastKeyFrame {
          wantsKeyFrame.store(false, ordering: .relaxed)
          encoder.requestKeyFrame()
        }
        do {
          let unit = try encoder.encode(frame, at: frame.timestamp)
          encoded.wrappingAdd(1, ordering: .relaxed)
          if unit.isKeyFrame { lastKeyFrame = unit.timestamp }
          if let codec = unit.codecString, let size = encoder.size {
            let new = VideoFormat(codec: codec, width: size.width, height: size.height)
            if new != format { server.startVideo(new) }
            format = new
          }
          server.broadcast(video: unit.bytes, time: unit.timestamp, isKeyFrame: unit.isKeyFrame)
        } catch {
          return onFailure("\(error)")
        }
      }
    }
    self.thread.withLock { $0 = thread }
  }

  /// Pictures encoded so far.
  var count: Int { encoded.load(ordering: .relaxed) }

  func show(_ frame: Frame) { newest.put(frame) }

  func requestKeyFrame() { wantsKeyFrame.store(true, ordering: .relaxed) }

  func end() {
    newest.close()
    thread.withLock { $0.take() }?.join()
  }
}
