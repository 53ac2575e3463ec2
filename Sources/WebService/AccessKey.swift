// What the runs of one user's service on one port have in common, so that pages find the next one.
import CWebSockets

/// Each run has a number that everybody may know and a token that follows from it and the key. A page that a run has let
/// in has the key; when another run follows, the page asks for its number and computes its token.
///
/// Keeping the token itself would not do. A page that looks for the service shows what it has to whoever listens at
/// the port meanwhile, who may be another user: a token of a number that no run will ever have is of no use to them.
public struct AccessKey: Sendable, Equatable {
  /// 256 bits.
  let bytes: [UInt8]

  /// From the system's random generator.
  public init() { bytes = randomBytes(Int(WEB_KEY_BYTES)) }

  /// `nil` unless these are its 64 hexadecimal digits.
  init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 2 * Int(WEB_KEY_BYTES), text.utf8.count == digits.count else { return nil }
    bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// The first 128 bits of HMAC-SHA-1, which browsers compute too.
  func token(of run: RunNumber) -> AccessToken {
    var mac = [UInt8](repeating: 0, count: Int(WEB_MAC_BYTES))
    web_hmac_sha1(bytes, run.bytes, &mac)
    return AccessToken(hexadecimal(mac.prefix(16)))
  }
}

/// Tells a run of the service from all others; no secret.
struct RunNumber: Sendable, Equatable {
  /// 128 random bits.
  let bytes: [UInt8]

  init() { bytes = randomBytes(Int(WEB_NONCE_BYTES)) }

  init(bytes: [UInt8]) { self.bytes = bytes }
}

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func randomBytes(_ count: Int) -> [UInt8] {
  (0..<count).map { _ in UInt8.random(in: .min ... .max) }
}
