// A video file as a source of frames.
import CFFmpeg
import Frames
import Glibc
import Synchronization

/// Any file libavformat reads: video in any container, animated GIF, a single picture.
public final class ClipSource: VideoSource {
  /// How fast frames come, and which clock their timestamps are on.
  public enum Pace: Sendable {
    /// As fast as they are asked for; timestamps are media time: nanoseconds since the clip's first frame.
    case fast
    /// Each at its time, as a camera would deliver it; timestamps are on CLOCK_MONOTONIC, the first frame's being the
    /// moment it was first asked for. A consumer that is late gets the next frame at once: no frame is left out (see
    /// `PlaybackClock`).
    case realTime
  }

  public let description: SourceDescription
  /// Nanoseconds, as the file states it; `nil` when it does not.
  public let duration: Int64?

  private let pace: Pace
  private let playback: Mutex<Playback>
  private let latest: Mutex<(metrics: StageMetrics, damage: ClipDamage?)>
  private let cancellation = Cancellation()
  /// The decoder's, for `cancel()` alone, which the C side allows from any thread. `playback` keeps it alive.
  private nonisolated(unsafe) let reader: OpaquePointer

  /// What only the thread inside `next()` touches.
  private struct Playback: ~Copyable {
    var decoder: ClipDecoder
    /// The first frame, decoded when the clip was opened.
    var first: Frame?
    var clock = PlaybackClock()
  }

  /// Opens the clip and decodes its first picture.
  public init(path: String, pace: Pace) throws(CaptureError) {
    var decoder = try ClipDecoder(path: path)
    guard let first = try decoder.next() else {
      throw .noPictures(path: path, skippedPackets: decoder.metrics.framesDropped)
    }
    description = SourceDescription(
      kind: .clip, name: fileName(of: path), width: first.width, height: first.height, frameRate: decoder.frameRate)
    duration = decoder.duration
    reader = decoder.reader
    latest = Mutex((decoder.metrics, nil))
    playback = Mutex(Playback(decoder: decoder, first: first))
    self.pace = pace
  }

  public var metrics: StageMetrics { latest.withLock { $0.metrics } }

  public var damage: ClipDamage? { latest.withLock { $0.damage } }

  public func next(_ tell: (CameraCondition) -> Void) throws(CaptureError) -> Frame? {
    try playback.withLock { (playback) throws(CaptureError) -> Frame? in
      guard let frame = try decode(&playback), !cancellation.isCancelled else { return nil }
      guard pace == .realTime else { return frame }
      let due = playback.clock.due(frame.timestamp, now: MonotonicClock.now)
      return cancellation.sleep(until: due) ? nil : frame.retimed(to: due)
    }
  }

  public func cancel() {
    clip_cancel(reader)
    cancellation.cancel()
  }

  private func decode(_ playback: inout Playback) throws(CaptureError) -> Frame? {
    if let first = playback.first.take() { return first }
    let frame = try playback.decoder.next()
    let (metrics, damage) = (playback.decoder.metrics, playback.decoder.damage)
    latest.withLock { $0 = (metrics, damage) }
    return frame
  }
}
