// One open video file: the owner of CFFmpeg's reader.
import CFFmpeg
import Frames
import Glibc

/// Decodes one file's pictures into frames that carry media time. Belongs to one thread at a time.
struct ClipDecoder: ~Copyable {
  let path: String
  /// For `clip_cancel`, which any thread may call while the decoder lives.
  let reader: OpaquePointer
  /// Frames a second as the file states it; 0 when unknown.
  let frameRate: Double
  /// Nanoseconds as the file states it; `nil` when it does not.
  let duration: Int64?
  /// What was decoded and how long each picture took; damaged packets count as dropped frames.
  private(set) var metrics = StageMetrics()
  /// Known once the end has been reached.
  private(set) var damage: ClipDamage?
  private var timeline: ClipTimeline

  init(path: String) throws(CaptureError) {
    let file = try openRegularFile(path)
    var opened: OpaquePointer?
    var message = [CChar](repeating: 0, count: Int(CLIP_MESSAGE_SIZE))
    let status = clip_open(file, Int32(Frame.maximumSide), &opened, &message)
    guard let opened else { throw Self.error(status, path, message) }
    self.path = path
    reader = opened
    frameRate = clip_frame_rate(opened)
    let stated = clip_duration(opened)
    duration = stated > 0 ? stated : nil
    timeline = ClipTimeline(frameRate: frameRate)
  }

  deinit { clip_close(reader) }

  /// The next picture; `nil` at the end and once cancelled.
  mutating func next() throws(CaptureError) -> Frame? {
    let began = MonotonicClock.now
    var picture = clip_picture()
    var message = [CChar](repeating: 0, count: Int(CLIP_MESSAGE_SIZE))
    let status = clip_next(reader, &picture, &message)
    metrics.framesDropped = Int(clip_skipped(reader))
    metrics.framesIn = metrics.framesOut + metrics.framesDropped
    if status == .CLIP_END {
      damage = ClipDamage(
        places: Int(clip_damaged(reader)), reached: timeline.expected, promised: clip_promised(reader))
    }
    if status == .CLIP_END || status == .CLIP_CANCELLED { return nil }
    guard status == .CLIP_OK else { throw Self.error(status, path, message) }

    let frame = try frame(of: picture)
    metrics.framesIn += 1
    metrics.framesOut += 1
    metrics.latency.record(MonotonicClock.now - began)
    return frame
  }

  private mutating func frame(of picture: clip_picture) throws(CaptureError) -> Frame {
    let timestamp = picture.timestamp == CLIP_NO_TIME ? nil : picture.timestamp
    let width = Int(picture.width)
    let format = PixelFormat(picture)
    // Room for the width rounded up to 32 pixels, as `clip_write` asks for.
    let bytesPerRow = format.leastBytesPerRow(width: (width + 31) / 32 * 32)
    var status = clip_status.CLIP_OK
    let frame = Frame(
      index: metrics.framesOut, timestamp: timeline.place(timestamp: timestamp, duration: picture.duration),
      format: format, width: width, height: Int(picture.height), bytesPerRow: bytesPerRow
    ) { status = clip_write(reader, $0.baseAddress, bytesPerRow) }
    guard status == .CLIP_OK else { throw Self.error(status, path, []) }
    return frame
  }
}

extension PixelFormat {
  fileprivate init(_ picture: clip_picture) {
    let encoding = ColourEncoding(picture.is_bt709 ? .bt709 : .bt601, isFullRange: picture.is_full_range)
    self =
      switch picture.format {
      case .CLIP_BGR24: .bgr24
      case .CLIP_I420: .yuv(.i420, encoding)
      case .CLIP_I422: .yuv(.i422, encoding)
      }
  }
}

extension ClipDecoder {
  private static func error(_ status: clip_status, _ path: String, _ message: [CChar]) -> CaptureError {
    let detail = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    switch status {
    case .CLIP_NO_VIDEO_STREAM: return .noVideoStream(path: path)
    case .CLIP_NO_DECODER: return .noDecoder(path: path, codec: detail)
    case .CLIP_TOO_LARGE: return .tooLarge(path: path, size: detail, maximumSide: Frame.maximumSide)
    case .CLIP_OUT_OF_MEMORY: return .outOfMemory(path: path)
    default: return .notAVideo(path: path, reason: detail)
    }
  }
}
