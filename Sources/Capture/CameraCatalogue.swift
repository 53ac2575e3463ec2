// The cameras of this machine, and how one is chosen among them.
import CV4L2
import FoundationEssentials
import Glibc

/// A node that delivers pictures.
public struct Camera: Sendable, Equatable {
  /// `/dev/videoN`.
  public let path: String
  /// As the camera calls itself.
  public let name: String
  public let driver: String
  /// Where it is plugged in, as the driver tells it.
  public let bus: String
  /// Links under /dev/v4l/by-id, which stay the same whatever else is plugged in.
  public let links: [String]

  public init(path: String, name: String, driver: String, bus: String, links: [String]) {
    self.path = path
    self.name = name
    self.driver = driver
    self.bus = bus
    self.links = links
  }
}

public enum CameraCatalogue {
  static let linkFolder = "/dev/v4l/by-id"

  /// Every capture node, by number. Nodes are opened only to ask what they are: who streams is not disturbed. Those that
  /// must not be opened are left out here and told by `denied`.
  public static func cameras() -> [Camera] { nodes().compactMap { try? camera(at: $0) } }

  /// One error for each node that this user must not open, whatever it is.
  public static func denied() -> [CaptureError] {
    nodes().filter { access($0, R_OK | W_OK) != 0 && errno == EACCES }
      .map { CaptureError(CameraFault(errno: EACCES, path: $0), path: $0) }
  }

  /// The camera with the lowest number. Throws `CaptureError`.
  public static func first() throws(CaptureError) -> Camera {
    if let first = cameras().first { return first }
    throw denied().first ?? .noCamera
  }

  /// The camera with this path, this link, or this name: in full, or a part that fits only one. Throws `CaptureError`.
  public static func camera(_ text: String) throws(CaptureError) -> Camera {
    if text.hasPrefix("/") {
      do throws(CameraFault) {
        return try camera(at: text)
      } catch {
        throw CaptureError(error, path: text)
      }
    }
    let all = cameras()
    let matches = all.named(text)
    guard let match = matches.first else { throw .noSuchCamera(text, known: all.map(\.name)) }
    guard matches.count == 1 else { throw .ambiguousCamera(text, paths: matches.map(\.path)) }
    return match
  }

  static func camera(at path: String) throws(CameraFault) -> Camera {
    guard let node = resolve(path) else { throw .gone }
    let file = try openDevice(node)
    defer { close(file) }
    var identity = camera_identity()
    let error = camera_identify(file, &identity)
    guard error == 0 else { throw CameraFault(errno: error, path: node) }
    guard camera_captures(identity.capabilities) else { throw .failed(errno: ENOTTY) }
    return Camera(
      path: node, name: text(identity.card), driver: text(identity.driver), bus: text(identity.bus),
      links: links().filter { resolve($0) == node })
  }

  /// What a camera can do. Throws `CaptureError`.
  public static func offers(of camera: Camera) throws(CaptureError) -> [CameraOffer] {
    do throws(CameraFault) {
      let file = try openDevice(camera.path)
      defer { close(file) }
      return CameraOffer.all(file)
    } catch {
      throw CaptureError(error, path: camera.path)
    }
  }

  /// The descriptor of a device, which is the caller's to close.
  static func openDevice(_ path: String) throws(CameraFault) -> Int32 {
    let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw CameraFault(errno: errno, path: path) }
    return file
  }

  private static func nodes() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
    let numbers = names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst("video".count)) : nil }
    return numbers.sorted().map { "/dev/video\($0)" }
  }

  private static func links() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: linkFolder)) ?? []
    return names.sorted().map { "\(linkFolder)/\($0)" }
  }

  /// The path without links; `nil` when there is nothing.
  private static func resolve(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// A C array that holds zero-terminated text.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension [Camera] {
  /// Those called so in full, or else those whose name holds the text; capital or small letters are the same.
  func named(_ text: String) -> [Camera] {
    let wanted = text.lowercased()
    let exact = filter { $0.name.lowercased() == wanted }
    return exact.isEmpty ? filter { $0.name.lowercased().contains(wanted) } : exact
  }
}

/// By what a camera is known again after it was away.
struct CameraIdentity: Sendable {
  private let camera: Camera
  /// Another camera with the same name was there too: the name alone says nothing.
  private let hasNamesake: Bool

  /// `others` are the cameras there are; whether `camera` is among them makes no difference.
  init(_ camera: Camera, among others: [Camera]) {
    self.camera = camera
    hasNamesake = others.contains { $0.path != camera.path && $0.name == camera.name }
  }

  /// The same camera among those there are now: by link, else by name and place, else by a name that was the only one.
  func find(in cameras: [Camera]) -> Camera? {
    let namesakes = cameras.filter { $0.name == camera.name }
    return cameras.first { !Set($0.links).isDisjoint(with: camera.links) }
      ?? namesakes.first { $0.bus == camera.bus }
      ?? (hasNamesake ? nil : namesakes.first)
  }
}
