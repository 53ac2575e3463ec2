// What errno says about a camera, and what its faults mean to whoever opens one.
import FoundationEssentials
import Glibc

extension CameraFault {
  /// `path` is where to look for who holds the camera, and which group may open it.
  init(errno: Int32, path: String) {
    self =
      switch errno {
      case ENODEV, ENXIO, ENOENT, ENOTDIR: .gone
      case EBUSY: .busy(holder: Self.holder(of: path))
      case EACCES, EPERM: .denied(group: Self.permittedGroup(path))
      default: .failed(errno: errno)
      }
  }

  /// The first other process that has the device open, as far as this user may see: `ffmpeg (process 1234)`.
  private static func holder(of path: String) -> String? {
    let files = FileManager.default
    let own = getpid()
    for process in (try? files.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let number = Int32(process), number != own else { continue }
      let folder = "/proc/\(process)/fd"
      for file in (try? files.contentsOfDirectory(atPath: folder)) ?? []
      where (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(file)")) == path {
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return "\(name?.split(separator: "\n").first ?? "a program") (process \(process))"
      }
    }
    return nil
  }

  private static func permittedGroup(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    var entry = group()
    var found: UnsafeMutablePointer<group>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { text in
      getgrgid_r(status.st_gid, &entry, text.baseAddress!, text.count, &found)
      return found.map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
    }
  }
}

extension CaptureError {
  init(_ fault: CameraFault, path: String) {
    self =
      switch fault {
      case .gone: .noSuchDevice(path: path)
      case .busy(let holder): .cameraBusy(path: path, holder: holder)
      case .denied(let group): .cameraDenied(path: path, group: group)
      case .noUsableMode(let offered): .noUsableMode(path: path, offered: offered)
      case .failed(ENOTTY): .notACamera(path: path)
      case .failed(let errno): .cameraFailed(path: path, errno: errno)
      }
  }
}

extension CameraCondition: CustomStringConvertible {
  public var description: String {
    switch self {
    case .delivering:
      "the camera delivers again"
    case .stalled:
      "no frame from the camera for a second: starting it again"
    case .unplugged:
      "the camera is unplugged: waiting for it to come back"
    case .busy(let holder):
      "the camera is busy: \(holder ?? "another program") has it open; waiting for it"
    case .denied(let group):
      "no permission to open the camera\(group.map { "; only the group “\($0)” may" } ?? ""); waiting for it"
    case .failing(let errno):
      "the camera fails (\(String(cString: strerror(errno)))): starting it again"
    }
  }
}
