// Any bytes as a landmark trace: the reader comes to an end, and what it read can be written.
import FaceGeometry
import GestureStream

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard var reader = try? TraceReader(InputFile(bytes: bytes, name: "fuzz")) else { return 0 }
  do {
    let writer = try TraceWriter(OutputFile(path: "/dev/null"), header: reader.header)
    while let observation = try? reader.next() { try writer.write(observation) }
  } catch {
    fatalError("cannot be written: \(error)")
  }
  return 0
}
