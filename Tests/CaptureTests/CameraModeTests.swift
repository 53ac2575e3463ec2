// Choosing a camera's mode: pure.
import Testing

@testable import Capture

@Suite("Camera mode")
struct CameraModeTests {
  private func offer(
    _ format: StaticString, _ width: Int, _ height: Int, _ rates: Double..., isUsable: Bool = true
  ) -> CameraOffer {
    CameraOffer(
      format: CameraFormat(format), width: CameraSideRange(width, through: width, by: 1),
      height: CameraSideRange(height, through: height, by: 1), rates: rates,
      isJPEG: CameraFormat(format) == CameraFormat("MJPG"), isUsable: isUsable)
  }

  private func best(_ offers: CameraOffer...) -> String? {
    CameraMode.best(of: offers).map { "\($0.format) \($0.width)x\($0.height)" }
  }

  @Test("JPEG is taken where both formats give size and rate, in whichever order they are listed")
  func prefersJPEG() {
    #expect(best(offer("YUYV", 640, 480, 30), offer("MJPG", 640, 480, 30)) == "MJPG 640x480")
    #expect(best(offer("MJPG", 640, 480, 30), offer("YUYV", 640, 480, 30)) == "MJPG 640x480")
  }

  @Test("Uncompressed pictures are taken where JPEG is slower")
  func ratesDecide() {
    #expect(best(offer("MJPG", 640, 480, 15), offer("YUYV", 640, 480, 30)) == "YUYV 640x480")
  }

  @Test(
    "Rate counts more than size, unless little of it is lost",
    arguments: [(15.0, "YUYV 320x240"), (20.0, "YUYV 640x480"), (25.0, "YUYV 640x480")])
  func weighs(rate: Double, expected: String) {
    #expect(best(offer("YUYV", 640, 480, rate), offer("YUYV", 320, 240, 30)) == expected)
  }

  @Test("A rate above the wanted one is as good as the wanted one")
  func fastIsEnough() {
    #expect(best(offer("MJPG", 640, 480, 30, 15), offer("MJPG", 320, 240, 120, 60)) == "MJPG 640x480")
  }

  @Test("A camera with odd sizes only gives the nearest; uncompressed odd widths have no layout and are left out")
  func oddSizes() {
    #expect(best(offer("MJPG", 1281, 721, 30), offer("MJPG", 641, 479, 30)) == "MJPG 641x479")
    #expect(best(offer("YUYV", 641, 479, 30)) == nil)
  }

  @Test("Formats that cannot be read and sizes beyond a frame's are left out; nothing left is no mode")
  func unusable() {
    #expect(best(offer("H264", 640, 480, 30, isUsable: false), offer("YUYV", 160, 120, 5)) == "YUYV 160x120")
    #expect(best(offer("MJPG", 10000, 10000, 30)) == nil)
    #expect(best() == nil)
  }

  @Test("A rate that is told wins over one that is not")
  func unknownRate() {
    #expect(best(offer("MJPG", 640, 480), offer("YUYV", 640, 480, 30)) == "YUYV 640x480")
  }

  @Test(
    "A range gives its step nearest to the wanted side",
    arguments: [
      (CameraSideRange(2, through: 8192, by: 2), 640), (CameraSideRange(320, through: 600, by: 16), 592),
      (CameraSideRange(800, through: 1600, by: 8), 800), (CameraSideRange(100, through: 1000, by: 100), 600),
      (CameraSideRange(0, through: 0, by: 0), 1), (CameraSideRange(9, through: 3, by: -1), 9),
      (CameraSideRange(1, through: Int(UInt32.max), by: Int(UInt32.max)), 1),
    ])
  func ranges(range: CameraSideRange, expected: Int) {
    #expect(range.nearest(640) == expected)
  }

  @Test("A format's name is its four characters, with blanks for what cannot be printed")
  func names() {
    #expect(CameraFormat("MJPG").description == "MJPG")
    #expect(CameraFormat(code: 0x0020_3859).description == "Y8  ")
  }
}
