// Any bytes as JSON Lines: the reader comes to an end, and what it read can be written and read again.
import GestureStream

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let lines = rewritten(Array(UnsafeBufferPointer(start: start, count: count))) else { return 0 }
  precondition(rewritten(lines) == lines)
  return 0
}

/// The stream up to where it breaks, as our writer writes it; `nil` where there is no stream.
private func rewritten(_ bytes: [UInt8]) -> [UInt8]? {
  guard var reader = try? JSONLinesReader(InputFile(bytes: bytes, name: "fuzz")) else { return nil }
  do {
    var lines = try StreamRecord.header(reader.header).jsonLine()
    while let record = try? reader.next() { lines += try record.jsonLine() }
    return lines
  } catch {
    fatalError("cannot be written: \(error)")
  }
}
