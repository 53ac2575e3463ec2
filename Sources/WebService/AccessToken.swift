// The secret part of the address that a run of the service answers to.

/// A loopback port is open to every program and page on the machine; only who was given the address, or was let in by an
/// earlier run and so has the `AccessKey`, knows this.
struct AccessToken: Sendable, Equatable, CustomStringConvertible {
  /// 128 bits as 32 hexadecimal digits, or what a test says.
  let description: String

  init(_ text: String) { description = text }

  static var random: AccessToken { AccessToken(hexadecimal(randomBytes(16))) }

  /// Takes as long whatever differs, so that the time of a refusal tells nothing of the token.
  func matches(_ candidate: some Collection<UInt8>) -> Bool {
    guard candidate.count == description.utf8.count else { return false }
    return zip(description.utf8, candidate).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
