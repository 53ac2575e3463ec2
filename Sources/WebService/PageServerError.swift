// Why the service cannot be reached by pages at all.
import Glibc

public enum PageServerError: Error, Sendable, Equatable, CustomStringConvertible {
  case portInUse(UInt16)
  case portDenied(UInt16)
  case noSuchAddress(String)
  case failed(code: Int32)

  init(code: Int32, address: String, port: UInt16) {
    self =
      switch code {
      case EADDRINUSE: .portInUse(port)
      case EACCES: .portDenied(port)
      case EADDRNOTAVAIL: .noSuchAddress(address)
      default: .failed(code: code)
      }
  }

  public var description: String {
    switch self {
    case .portInUse(let port):
      "port \(port) is in use, perhaps by another faceplay (see ss -ltnp); end that, or choose another with --port"
    case .portDenied(let port):
      "port \(port) is for root alone; choose one from 1024 on with --port"
    case .noSuchAddress(let address):
      "\(address) is not an IPv4 address of this machine (see ip -4 address)"
    case .failed(let code):
      "no page can be served: \(String(cString: strerror(code)))"
    }
  }
}
