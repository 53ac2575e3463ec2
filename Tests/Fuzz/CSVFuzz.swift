// Any bytes as CSV: the reader comes to an end, and what it read makes a stream.
import GestureStream
import Gestures

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard var reader = try? CSVReader(InputFile(bytes: bytes, name: "fuzz")) else { return 0 }
  var records: [StreamRecord] = []
  while let record = try? reader.next() { records.append(record) }
  do {
    let count = try countReadBack(records)
    precondition(count == records.count)
  } catch {
    fatalError("cannot be read back: \(error)")
  }
  return 0
}

private func countReadBack(_ records: [StreamRecord]) throws -> Int {
  let source = StreamHeader.Source(kind: .clip, name: "fuzz", width: 640, height: 480, fps: 30)
  let header = StreamHeader(clock: .media, source: source, landmarkModel: nil, profile: Profile())
  let lines = try ([.header(header)] + records).flatMap { try $0.jsonLine() }
  var reader = try JSONLinesReader(InputFile(bytes: lines, name: "read back"))
  var count = 0
  while try reader.next() != nil { count += 1 }
  return count
}
