// Boxes of our own kind in MP4 files: made, and found among all the others.

/// A box of type `uuid` (ISO/IEC 14496-12, 4.2): players pass over those whose name they do not know.
public struct MP4Box: Sendable, Equatable {
  /// 16 bytes, a UUID that says what the content is.
  public let name: [UInt8]
  public let content: [UInt8]

  struct Limits {
    /// Of boxes that a file is searched through: a day of recording has a fifth of it.
    static let boxes = 1 << 20
  }

  private static let type = Array("uuid".utf8)

  /// Up to 2³² − 25 bytes of content.
  public init(name: [UInt8], content: [UInt8]) {
    precondition(name.count == 16 && content.count <= Int(UInt32.max) - 24)
    self.name = name
    self.content = content
  }

  public var bytes: [UInt8] {
    let size = UInt32(8 + name.count + content.count)
    return withUnsafeBytes(of: size.bigEndian, Array.init) + Self.type + name + content
  }

  /// Whether a file that begins so, with 8 bytes or more, is made of the boxes that an MP4 file begins with.
  public static func isBeginning(_ bytes: some Sequence<UInt8>) -> Bool {
    let type = Array(bytes.prefix(8).dropFirst(4))
    return type == Array("ftyp".utf8) || type == Self.type
  }

  /// Finds the last box of a name among a file's outermost boxes; `nil` when there is none that is whole and has at most
  /// `longest` bytes of content. Damage ends the search. `read` returns up to so many bytes from an offset on, fewer only
  /// at the end of the file, whose `size` is in bytes.
  public init?(
    named name: [UInt8], size: Int64, longest: Int, read: (_ offset: Int64, _ count: Int) throws -> [UInt8]
  ) rethrows {
    var found: Range<Int64>?
    var offset: Int64 = 0
    var boxes = 0
    while offset < size, boxes < Limits.boxes,
      let header = Header(try read(offset, Header.longest), room: size - offset)
    {
      if header.name == name { found = (offset + header.length)..<(offset + header.size) }
      offset += header.size
      boxes += 1
    }
    guard let found, found.count <= longest else { return nil }
    let content = try read(found.lowerBound, found.count)
    guard content.count == found.count else { return nil }
    self.init(name: name, content: content)
  }

  /// What a box says of itself.
  private struct Header {
    static let longest = 32

    /// Bytes of the box, at least `length`.
    let size: Int64
    /// Bytes before the content.
    let length: Int64
    /// Of a `uuid` box.
    let name: [UInt8]?

    /// `nil` when the box ends before its header does or after the file, which has `room` bytes from its beginning on.
    init?(_ bytes: [UInt8], room: Int64) {
      func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
      guard bytes.count >= 8 else { return nil }
      let stated = number(0..<4)
      let isNamed = Array(bytes[4..<8]) == MP4Box.type
      // Size 1: the size comes after the type, in 64 bits. Size 0: up to the end of the file.
      let start = stated == 1 ? 16 : 8
      let end = start + (isNamed ? 16 : 0)
      guard bytes.count >= end else { return nil }
      guard let size = stated == 0 ? room : Int64(exactly: stated == 1 ? number(8..<16) : stated) else { return nil }
      guard size >= end, size <= room else { return nil }
      self.size = size
      length = Int64(end)
      name = isNamed ? Array(bytes[start..<end]) : nil
    }
  }
}
