// The secret part of the address that a run of the service answers to.

/// A loopback port is open to every program and page on the machine; only who was given the address knows this.
public struct AccessToken: Sendable, Equatable, CustomStringConvertible {
  /// 128 random bits as 32 hexadecimal digits, or what a test says.
  public let description: String

  /// From the system's random generator.
  public init() {
    description = (0..<16).map { _ in
      let byte = String(UInt8.random(in: .min ... .max), radix: 16)
      return byte.count == 1 ? "0\(byte)" : byte
    }.joined()
  }

  init(_ text: String) { description = text }

  /// Takes as long whatever differs, so that the time of a refusal tells nothing of the token.
  func matches(_ candidate: some Collection<UInt8>) -> Bool {
    guard candidate.count == description.utf8.count else { return false }
    return zip(description.utf8, candidate).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
