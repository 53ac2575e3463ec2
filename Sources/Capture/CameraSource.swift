// A webcam as a source of frames, which outlives its camera's failures.
import CV4L2
import Frames
import Glibc
import Synchronization

/// Frames a camera did not deliver, by reason.
public struct CameraLosses: Sendable, Equatable {
  /// Whole, but a newer one was there already.
  public var replaced = 0
  /// Numbered by the driver, but never handed over.
  public var missing = 0
  /// Marked as damaged by the driver, or not to be decoded.
  public var damaged = 0

  public init() {}

  public var all: Int { replaced + missing + damaged }
}

/// Delivers the newest frame each time. Once open, it does not give up: a camera that stalls or fails is started again,
/// one that is unplugged or taken is waited for.
public final class CameraSource: VideoSource {
  public let description: SourceDescription
  /// As the driver set it when the camera was opened.
  public let mode: CameraMode
  private let identity: CameraIdentity
  private let keepsRate: Bool
  private let session: Mutex<Session>
  private let tally: Mutex<(metrics: StageMetrics, losses: CameraLosses)>
  private let cancellation = Cancellation()

  /// What only the thread inside `next()` touches.
  private struct Session: ~Copyable {
    var device: CameraDevice?
    let decoder: CameraDecoder
    var recovery: CameraRecovery
    var clock = CameraClock()
    var nextIndex = 0
  }

  /// Opens the camera and starts it. With `keepsRate` its exposure does not lengthen the interval between frames in poor
  /// light, where it has that control; the control gets its value back at the end.
  public init(_ camera: Camera, keepsRate: Bool = false) throws(CaptureError) {
    guard let decoder = CameraDecoder() else { throw .cameraFailed(path: camera.path, errno: ENOMEM) }
    let device = try Self.open(camera, keepsRate)
    mode = device.mode
    description = SourceDescription(
      kind: .camera, name: camera.name, width: mode.width, height: mode.height, frameRate: mode.rate)
    identity = CameraIdentity(camera, among: CameraCatalogue.cameras())
    session = Mutex(
      Session(device: device, decoder: decoder, recovery: CameraRecovery(openedAt: MonotonicClock.now)))
    tally = Mutex((StageMetrics(), CameraLosses()))
    self.keepsRate = keepsRate
  }

  public var metrics: StageMetrics { tally.withLock { $0.metrics } }

  public var losses: CameraLosses { tally.withLock { $0.losses } }

  public func next(_ tell: (CameraCondition) -> Void) throws(CaptureError) -> Frame? {
    session.withLock { session in
      while !cancellation.isCancelled {
        let before = session.recovery.condition
        let frame = step(&session)
        if session.recovery.condition != before { tell(session.recovery.condition) }
        if let frame { return frame }
      }
      session.device = nil
      return nil
    }
  }

  public func cancel() { cancellation.cancel() }

  /// A driver that refuses once is asked again; whatever else is wrong is told at once.
  private static func open(_ camera: Camera, _ keepsRate: Bool) throws(CaptureError) -> CameraDevice {
    do throws(CameraFault) {
      do throws(CameraFault) {
        return try CameraDevice(path: camera.path, keepsRate: keepsRate)
      } catch .failed {
        return try CameraDevice(path: camera.path, keepsRate: keepsRate)
      }
    } catch {
      throw CaptureError(error, path: camera.path)
    }
  }

  /// Carries out the recovery's plan and tells it what came of that.
  private func step(_ session: inout Session) -> Frame? {
    var frame: Frame?
    let report: CameraRecovery.Report?
    do throws(CameraFault) {
      switch session.recovery.plan {
      case .await(let deadline):
        frame = try take(&session, until: deadline)
        report = frame != nil ? .frame : MonotonicClock.now >= deadline ? .silence : nil
      case .restart:
        try session.device?.restart()
        report = .started
      case .reopen(let time):
        session.device = nil
        report = try reopen(&session, at: time) ? .started : nil
      }
    } catch {
      report = .failed(error)
    }
    if let report { session.recovery.step(report, at: MonotonicClock.now) }
    return frame
  }

  /// One frame; `nil` at the deadline, once cancelled, and for a frame that is damaged.
  private func take(_ session: inout Session, until deadline: Int64) throws(CameraFault) -> Frame? {
    guard session.device?.wait(until: deadline, cancellation) ?? false else { return nil }
    let began = MonotonicClock.now
    guard let picture = try session.device?.takeNewest() else { return nil }
    let driverTime = picture.buffer.is_monotonic ? picture.buffer.timestamp : nil
    let time = session.clock.time(driver: driverTime, now: began)
    session.nextIndex += picture.replaced + picture.missing
    let frame = session.device?.frame(
      of: picture, index: session.nextIndex, timestamp: time, session.decoder)
    session.nextIndex += 1
    count(picture, isWhole: frame != nil, took: MonotonicClock.now - began)
    return frame
  }

  /// Whether the camera was opened; `false` once cancelled.
  private func reopen(_ session: inout Session, at time: Int64) throws(CameraFault) -> Bool {
    guard !cancellation.sleep(until: time) else { return false }
    guard let camera = identity.find(in: CameraCatalogue.cameras()) else { throw .gone }
    session.device = try CameraDevice(path: camera.path, keepsRate: keepsRate)
    return true
  }

  private func count(_ picture: CameraDevice.Picture, isWhole: Bool, took: Int64) {
    tally.withLock { tally in
      tally.losses.replaced += picture.replaced
      tally.losses.missing += picture.missing
      if isWhole {
        tally.metrics.framesOut += 1
        tally.metrics.latency.record(took)
      } else {
        tally.losses.damaged += 1
      }
      tally.metrics.framesDropped = tally.losses.all
      tally.metrics.framesIn = tally.metrics.framesOut + tally.losses.all
    }
  }
}
