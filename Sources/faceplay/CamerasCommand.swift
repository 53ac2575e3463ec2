// faceplay cameras: what is plugged in, and what it really delivers.
import Capture
import FacePlayService
import Frames

extension Command {
  static let cameras = Command(
    name: "cameras", summary: "list the cameras and their modes, or measure one", operands: "[SECONDS]",
    operandCount: 0...1,
    options: [
      Option(
        name: "--measure", value: "CAMERA",
        summary: "stream for SECONDS (10) without looking for faces; print rate, drops and jitter"),
      .keepRate,
    ]
  ) { arguments in
    guard let name = arguments["--measure"] else {
      guard arguments.operands.isEmpty else {
        throw UsageError.operands(usage: "faceplay cameras [--measure CAMERA [SECONDS]]", isTooFew: false)
      }
      Interruption.endAtOnce()
      try list()
      return .ok
    }
    let seconds = try arguments.operands.first.map(seconds) ?? 10
    return try measure(try CameraCatalogue.camera(name), seconds: seconds, keepsRate: arguments.has("--keep-rate"))
  }

  private static func seconds(_ text: String) throws -> Int64 {
    guard let seconds = Int64(text), (1...86400).contains(seconds) else {
      throw UsageError.badValue(option: "SECONDS", value: text, must: "be a whole number from 1 to 86400")
    }
    return seconds
  }

  private static func list() throws {
    let cameras = CameraCatalogue.cameras()
    for camera in cameras {
      try printResult("\(camera.path)  \(camera.name)  (\(camera.driver), \(camera.bus))")
      let lines = camera.links + CameraText.modes(try CameraCatalogue.offers(of: camera))
      for line in lines { try printResult("  \(line)") }
    }
    let denied = CameraCatalogue.denied()
    for error in denied { printError("faceplay: \(error)") }
    if cameras.isEmpty && denied.isEmpty { try printResult("No camera is plugged in.") }
  }

  /// Every camera state is told on standard error, so that the figures can be read by a program.
  private static func measure(_ camera: Camera, seconds: Int64, keepsRate: Bool) throws -> ExitStatus {
    let source = try CameraSource(camera, keepsRate: keepsRate)
    Interruption.call { source.cancel() }
    let mode = source.mode
    // Who reads a pipe should see what is measured before the figures come.
    try printResult(
      "\(camera.path)  \(camera.name): \(mode.format) \(mode.width)x\(mode.height), \(CameraText.rate(mode.rate))")
    let ended = Cancellation()
    let timer = WorkerThread("timer") {
      _ = ended.sleep(until: MonotonicClock.now + seconds * 1_000_000_000)
      source.cancel()
    }
    var measurement = CameraMeasurement()
    while let frame = try source.next({ printError("faceplay: \($0)") }) { measurement.add(frame.timestamp) }
    ended.cancel()
    timer.join()
    try printResult(CameraText.result(measurement, source.losses, source.metrics.latency))
    return Interruption.liveStatus(default: measurement.frames > 0 ? .ok : .inputOutput)
  }
}

/// Cameras as lines of text.
enum CameraText {
  /// One line a format and size that can be read, and one with the formats that cannot.
  static func modes(_ offers: [CameraOffer]) -> [String] {
    let usable = offers.filter(\.isUsable).map { offer in
      "\(offer.format)  \(size(offer).padded(to: 10))  \(offer.rates.isEmpty ? "rate not told" : rates(offer.rates))"
    }
    let others = Set(offers.filter { !$0.isUsable }.map(\.format.description)).sorted()
    return usable + (others.isEmpty ? [] : ["not readable here: \(others.joined(separator: ", "))"])
  }

  static func rate(_ rate: Double) -> String { rate > 0 ? rates([rate]) : "rate not told" }

  static func result(_ measurement: CameraMeasurement, _ losses: CameraLosses, _ latency: LatencyHistogram) -> String {
    let jitter = measurement.jitter.map { "\(number(Double($0) / 1e6, 1)) ms" } ?? "–"
    let decoding = latency.p95.map { "\(number(Double($0) / 1e6, 1)) ms" } ?? "–"
    return """
      \(counted(measurement.frames, "frame")), \(number(measurement.rate, 2)) fps
      jitter: 95 % of intervals within \(jitter) of the mean
      decoding: 95 % within \(decoding)
      drops: \(losses.replaced) replaced by newer, \(losses.missing) missing from the driver, \(losses.damaged) damaged
      """
  }

  private static func rates(_ rates: [Double]) -> String {
    rates.map { number($0, $0 == $0.rounded() ? 0 : 2) }.joined(separator: ", ") + " fps"
  }

  private static func size(_ offer: CameraOffer) -> String {
    let smallest = "\(offer.width.minimum)x\(offer.height.minimum)"
    let largest = "\(offer.width.maximum)x\(offer.height.maximum)"
    return smallest == largest ? smallest : "\(smallest) to \(largest)"
  }
}
