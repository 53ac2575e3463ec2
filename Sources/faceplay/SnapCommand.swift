// faceplay snap: one picture as a photo.
import Capture
import FacePlayService
import Frames
import GestureStream
import VideoEncoding

extension Command {
  static let snap = Command(
    name: "snap", summary: "take a photo with a camera, or of a clip's beginning", operands: "CAMERA|CLIP",
    operandCount: 1...1,
    options: [
      Option(name: "-o", value: "FILE", summary: "a new .jpg file, at most 1920x1440; - is standard output"),
      .keepRate,
    ]
  ) { arguments in
    let path = try arguments.output(arguments["-o"] == "-" ? nil : [".jpg", ".jpeg"])
    var options = FeedOptions()
    options.keepsRate = arguments.has("--keep-rate")
    let source = try openVideo(arguments.operands[0], options: options)
    Interruption.call { source.cancel() }
    guard let frame = try settledFrame(source) else { return Interruption.status(default: .data) }
    let output = try OutputFile(path: path, cancellation: Interruption.cancellation)
    let photo = try Photo.jpeg(of: frame)
    try output.write(photo)
    try output.commit()
    printError("\(path): \(number(Double(photo.count) / 1e3, 0)) kB")
    return .ok
  }

  /// Nanoseconds that a camera is given to find its exposure.
  private static let settlingTime: Int64 = 1_000_000_000

  /// A clip's first frame, or a camera's after a while; `nil` when cancelled.
  private static func settledFrame(_ source: any VideoSource) throws(CaptureError) -> Frame? {
    let tell: (CameraCondition) -> Void = { printError("faceplay: \($0)") }
    guard let first = try source.next(tell) else { return nil }
    guard source.description.kind == .camera else { return first }
    while let frame = try source.next(tell) {
      if frame.timestamp - first.timestamp >= settlingTime { return frame }
    }
    return nil
  }
}
