// The recovery of a failing camera as a table: what came of the last plan, and what follows from it.
import Glibc
import Testing

@testable import Capture

@Suite("Camera recovery")
struct CameraRecoveryTests {
  typealias Recovery = CameraRecovery
  private static let now: Int64 = 100_000_000_000
  private static let second: Int64 = 1_000_000_000
  private static let soon = Recovery.Plan.reopen(at: now + Recovery.Constants.retry)
  private static let first = Recovery.Plan.await(until: now + 3 * second)

  private func steps(_ reports: Recovery.Report...) -> Recovery {
    var recovery = Recovery(openedAt: 0)
    for report in reports { recovery.step(report, at: Self.now) }
    return recovery
  }

  @Test("An opened camera has three seconds for its first frame, then one for each next")
  func patience() {
    #expect(Recovery(openedAt: Self.now).plan == Self.first)
    #expect(steps(.frame).plan == .await(until: Self.now + Self.second))
    #expect(steps(.frame).condition == .delivering)
  }

  @Test("Silence is a stall: the stream is started again, and when that does not help, the camera is opened again")
  func stalls() {
    #expect(steps(.frame, .silence).condition == .stalled)
    #expect(steps(.frame, .silence).plan == .restart)
    #expect(steps(.frame, .silence, .started).plan == Self.first)
    #expect(steps(.frame, .silence, .started, .silence).plan == Self.soon)
    #expect(steps(.frame, .silence, .started, .silence, .started, .silence).plan == Self.soon)
  }

  @Test("A camera counts as delivering again with its first frame, not when it has been opened")
  func resumes() {
    #expect(steps(.silence, .started).condition == .stalled)
    #expect(steps(.silence, .started, .frame).condition == .delivering)
    #expect(steps(.failed(.gone), .started).condition == .unplugged)
    #expect(steps(.failed(.gone), .started, .frame).condition == .delivering)
  }

  @Test("After frames came again, the gentle way is tried first again")
  func forgives() {
    #expect(steps(.silence, .started, .frame, .silence).plan == .restart)
  }

  @Test(
    "A camera that is away, taken or closed to us is tried twice a second",
    arguments: [
      (CameraFault.gone, CameraCondition.unplugged), (.busy(holder: "cheese"), .busy(holder: "cheese")),
      (.denied(group: "video"), .denied(group: "video")), (.noUsableMode(offered: ""), .unplugged),
    ])
  func waits(fault: CameraFault, condition: CameraCondition) {
    let recovery = steps(.frame, .failed(fault))
    #expect(recovery.plan == Self.soon)
    #expect(recovery.condition == condition)
    #expect(steps(.failed(fault), .failed(fault)).plan == Self.soon)
  }

  @Test("An error of the driver restarts the stream, and opens the camera again when restarting fails")
  func fails() {
    let failure = Recovery.Report.failed(.failed(errno: EIO))
    #expect(steps(.frame, failure).condition == .failing(errno: EIO))
    #expect(steps(.frame, failure).plan == .restart)
    #expect(steps(.frame, failure, failure).plan == Self.soon)
    #expect(steps(.frame, failure, failure, failure).plan == Self.soon)
  }
}

@Suite("Camera identity")
struct CameraIdentityTests {
  private func camera(_ number: Int, _ name: String, bus: String, links: [String] = []) -> Camera {
    Camera(path: "/dev/video\(number)", name: name, driver: "uvcvideo", bus: bus, links: links)
  }

  @Test("A camera is known again by its link, whatever its number and place")
  func link() {
    let before = camera(0, "C920", bus: "usb-1", links: ["by-id/a"])
    let again = camera(4, "C920", bus: "usb-7", links: ["by-id/a"])
    let other = camera(0, "C920", bus: "usb-1", links: ["by-id/b"])
    #expect(CameraIdentity(before, among: [before]).find(in: [other, again]) == again)
  }

  @Test("Without link, the namesake in the same place is taken before one elsewhere")
  func place() {
    let before = camera(0, "C920", bus: "usb-1")
    let elsewhere = camera(1, "C920", bus: "usb-2")
    let again = camera(2, "C920", bus: "usb-1")
    #expect(CameraIdentity(before, among: [before]).find(in: [elsewhere, again]) == again)
    #expect(CameraIdentity(before, among: [before]).find(in: [elsewhere]) == elsewhere)
  }

  @Test("A second camera of the same name is never taken for the one that is away")
  func namesake() {
    let before = camera(0, "C920", bus: "usb-1")
    let other = camera(1, "C920", bus: "usb-2")
    #expect(CameraIdentity(before, among: [before, other]).find(in: [other]) == nil)
    #expect(CameraIdentity(before, among: [before]).find(in: [camera(0, "BRIO", bus: "usb-1")]) == nil)
  }

  @Test("A name in full wins over a part of a name; capitals do not matter")
  func names() {
    let cameras = [camera(0, "Integrated Camera", bus: "1"), camera(1, "Camera", bus: "2")]
    #expect(cameras.named("camera").map(\.path) == ["/dev/video1"])
    #expect(cameras.named("INTEGRATED").map(\.path) == ["/dev/video0"])
    #expect(cameras.named("amer").count == 2)
    #expect(cameras.named("brio").isEmpty)
  }

  @Test("A path that is no camera is refused with what to do")
  func paths() {
    #expect(throws: CaptureError.noSuchDevice(path: "/dev/video-none")) {
      try CameraCatalogue.camera("/dev/video-none")
    }
    #expect(throws: CaptureError.notACamera(path: "/dev/null")) { try CameraCatalogue.camera("/dev/null") }
  }
}
