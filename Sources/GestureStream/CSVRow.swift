// Rows of comma-separated values as RFC 4180 has them, whatever they mean.

extension InputFile {
  /// The next row: a line, or several where quoted fields hold line endings.
  func row() throws(StreamReadError) -> Line? {
    guard var row = try line() else { return nil }
    var isQuoted = row.bytes.endsQuoted(from: false)
    while isQuoted, row.isTerminated {
      guard let next = try line(), row.bytes.count + next.bytes.count < StreamLimits.lineLength else {
        throw error(.malformed)
      }
      isQuoted = next.bytes.endsQuoted(from: isQuoted)
      row.bytes.append(UInt8(ascii: "\n"))
      row.bytes += next.bytes
      row.isTerminated = next.isTerminated
    }
    if row.bytes.last == UInt8(ascii: "\r") { row.bytes.removeLast() }
    return row
  }
}

extension ArraySlice<UInt8> {
  fileprivate func endsQuoted(from startsQuoted: Bool) -> Bool {
    reduce(startsQuoted) { isQuoted, byte in isQuoted != (byte == UInt8(ascii: "\"")) }
  }
}

/// The fields of a row, unquoted. Throws `notUTF8`, and `malformed` for a quote out of place.
func csvFields(of row: ArraySlice<UInt8>) throws(StreamReadError.Cause) -> [String] {
  enum Position { case start, plain, quoted, afterQuote }
  guard String(validating: row, as: UTF8.self) != nil else { throw .notUTF8 }
  let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
  var fields: [String] = []
  var field: [UInt8] = []
  var position = Position.start
  for byte in row {
    switch (position, byte) {
    case (.start, quote): position = .quoted
    case (.quoted, quote): position = .afterQuote
    case (.quoted, _): field.append(byte)
    case (.afterQuote, quote):
      field.append(quote)
      position = .quoted
    case (_, comma):
      fields.append(String(decoding: field, as: UTF8.self))
      field.removeAll(keepingCapacity: true)
      position = .start
    case (.afterQuote, _), (.plain, quote): throw .malformed
    case (.start, _), (.plain, _):
      field.append(byte)
      position = .plain
    }
  }
  guard position != .quoted else { throw .malformed }
  return fields + [String(decoding: field, as: UTF8.self)]
}
