// One open, streaming camera: the owner of its descriptor, its buffers and the controls it changed.
import CV4L2
import Frames
import Glibc

/// Belongs to one thread at a time. Stops, and gives every control it changed its value back, when it goes.
struct CameraDevice: ~Copyable {
  /// A filled buffer, valid until the next call.
  struct Picture {
    let buffer: camera_buffer
    /// Older filled buffers that were given back for this one.
    let replaced: Int
    /// Frames the driver numbered but did not hand over.
    let missing: Int
  }

  /// As the driver set it.
  let mode: CameraMode
  private let path: String
  private let file: Int32
  private let stream: OpaquePointer
  private let layout: camera_mode
  /// A control's value before it was changed.
  private let formerPriority: Int32?
  private var sequence = CameraSequence()
  private var held: UInt32?

  /// Opens, sets the mode nearest to what is wanted, and starts. `keepsRate`: exposure must not lengthen the interval
  /// between frames, where the camera has that control.
  init(path: String, keepsRate: Bool) throws(CameraFault) {
    let file = try CameraCatalogue.openDevice(path)
    let started: Started
    do throws(CameraFault) {
      started = try Self.start(file, path, keepsRate: keepsRate)
    } catch {
      close(file)
      throw error
    }
    self.path = path
    self.file = file
    (layout, formerPriority, stream) = started
    mode = CameraMode(
      format: CameraFormat(code: layout.format), width: Int(layout.width), height: Int(layout.height),
      rate: layout.interval.rate ?? 0)
  }

  deinit {
    camera_stop(stream)
    Self.restorePriority(file, formerPriority)
    close(file)
  }

  mutating func restart() throws(CameraFault) {
    held = nil
    sequence = CameraSequence()
    try check(camera_restart(stream))
  }

  /// Waits until there is something to take, an error included; `false` at `deadline` and once cancelled.
  func wait(until deadline: Int64, _ cancellation: borrowing Cancellation) -> Bool {
    var ready = [
      pollfd(fd: file, events: Int16(POLLIN), revents: 0),
      pollfd(fd: cancellation.fileDescriptor, events: 0, revents: 0),
    ]
    while !cancellation.isCancelled {
      let remaining = deadline - MonotonicClock.now
      guard remaining > 0 else { return false }
      let count = poll(&ready, 2, Int32(clamping: (remaining + 999_999) / 1_000_000))
      if count > 0, ready[0].revents != 0 { return true }
    }
    return false
  }

  /// The newest filled buffer; those before it are given back unread.
  mutating func takeNewest() throws(CameraFault) -> Picture {
    try release()
    var newest: camera_buffer?
    var (replaced, missing) = (0, 0)
    var buffer = camera_buffer()
    var error = camera_dequeue(stream, &buffer)
    while error == 0 {
      missing += sequence.missing(before: buffer.sequence)
      if newest != nil { replaced += 1 }
      try release()
      held = buffer.index
      newest = buffer
      error = camera_dequeue(stream, &buffer)
    }
    guard error == EAGAIN else { throw CameraFault(errno: error, path: path) }
    // Something was reported, yet nothing is there: only an error does that.
    guard let newest else { throw .failed(errno: EIO) }
    return Picture(buffer: newest, replaced: replaced, missing: missing)
  }

  /// The picture as a frame; `nil` when it is damaged.
  func frame(
    of picture: Picture, index: Int, timestamp: Int64, _ decoder: borrowing CameraDecoder
  ) -> Frame? {
    guard !picture.buffer.is_damaged else { return nil }
    let bytes = UnsafeRawBufferPointer(start: picture.buffer.bytes, count: picture.buffer.count)
    return decoder.frame(of: bytes, layout, index: index, timestamp: timestamp)
  }

  private mutating func release() throws(CameraFault) {
    guard let index = held.take() else { return }
    try check(camera_requeue(stream, index))
  }

  private func check(_ error: Int32) throws(CameraFault) {
    if error != 0 { throw CameraFault(errno: error, path: path) }
  }
}

extension CameraDevice {
  private typealias Started = (layout: camera_mode, formerPriority: Int32?, stream: OpaquePointer)

  private static func start(_ file: Int32, _ path: String, keepsRate: Bool) throws(CameraFault) -> Started {
    let layout = try setMode(file, path)
    let formerPriority = keepsRate ? clearPriority(file) : nil
    var stream: OpaquePointer?
    let error = camera_start(file, &stream)
    if let stream { return (layout, formerPriority, stream) }
    restorePriority(file, formerPriority)
    throw CameraFault(errno: error, path: path)
  }

  private static func setMode(_ file: Int32, _ path: String) throws(CameraFault) -> camera_mode {
    let offers = CameraOffer.all(file)
    guard let wanted = CameraMode.best(of: offers) else {
      throw .noUsableMode(offered: Set(offers.map(\.format.description)).sorted().joined(separator: ", "))
    }
    var mode = camera_mode()
    mode.format = wanted.format.code
    mode.width = UInt32(wanted.width)
    mode.height = UInt32(wanted.height)
    mode.interval = camera_interval(numerator: 1, denominator: UInt32(wanted.rate))
    let error = camera_set_mode(file, &mode)
    guard error == 0 else { throw CameraFault(errno: error, path: path) }
    let sides = 1...UInt32(Frame.maximumSide)
    guard camera_decodes(mode.format), sides.contains(mode.width), sides.contains(mode.height) else {
      throw .noUsableMode(offered: "\(CameraFormat(code: mode.format)) \(mode.width)x\(mode.height)")
    }
    return mode
  }

  /// The value it had; `nil` when there is nothing to give back.
  private static func clearPriority(_ file: Int32) -> Int32? {
    var value: Int32 = 0
    guard camera_get_control(file, CAMERA_EXPOSURE_AUTO_PRIORITY, &value) == 0, value != 0 else { return nil }
    return camera_set_control(file, CAMERA_EXPOSURE_AUTO_PRIORITY, 0) == 0 ? value : nil
  }

  private static func restorePriority(_ file: Int32, _ value: Int32?) {
    guard let value else { return }
    camera_set_control(file, CAMERA_EXPOSURE_AUTO_PRIORITY, value)
  }
}

extension CameraOffer {
  /// Everything the device lists.
  static func all(_ file: Int32) -> [CameraOffer] {
    list { index in
      var format: UInt32 = 0
      return camera_format_at(file, index, &format) == 0 ? format : nil
    }.flatMap { format in
      sizes(file, format).map { sizes in
        CameraOffer(
          format: CameraFormat(code: format),
          width: CameraSideRange(Int(sizes.min_width), through: Int(sizes.max_width), by: Int(sizes.step_width)),
          height: CameraSideRange(Int(sizes.min_height), through: Int(sizes.max_height), by: Int(sizes.step_height)),
          rates: rates(file, format, sizes), isJPEG: camera_is_jpeg(format), isUsable: camera_decodes(format))
      }
    }
  }

  /// A driver without a list of sizes is asked for the wanted one, which it will change as it likes.
  private static func sizes(_ file: Int32, _ format: UInt32) -> [camera_sizes] {
    let listed = list { index -> camera_sizes? in
      var sizes = camera_sizes()
      return camera_sizes_at(file, format, index, &sizes) == 0 ? sizes : nil
    }
    guard listed.isEmpty else { return listed }
    let (width, height) = (UInt32(CameraMode.Constants.wanted.width), UInt32(CameraMode.Constants.wanted.height))
    return [
      camera_sizes(
        min_width: width, max_width: width, step_width: 1, min_height: height, max_height: height, step_height: 1)
    ]
  }

  private static func rates(_ file: Int32, _ format: UInt32, _ sizes: camera_sizes) -> [Double] {
    list { index -> Double? in
      var interval = camera_interval()
      let error = camera_interval_at(file, format, sizes.max_width, sizes.max_height, index, &interval)
      return error == 0 ? interval.rate : nil
    }
  }

  /// Asks for entry after entry until there is none. No driver lists as many as the bound.
  private static func list<Entry>(_ entry: (UInt32) -> Entry?) -> [Entry] {
    var entries: [Entry] = []
    while entries.count < 256, let next = entry(UInt32(entries.count)) { entries.append(next) }
    return entries
  }
}

extension camera_interval {
  /// Frames a second.
  fileprivate var rate: Double? {
    numerator > 0 && denominator > 0 ? Double(denominator) / Double(numerator) : nil
  }
}
