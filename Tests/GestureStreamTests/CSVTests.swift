// Gesture streams as CSV, as a specification.
import Foundation
import Gestures
import Testing

@testable import GestureStream

private let headerRow =
  "n,t,face,confidence,roll,yaw,pitch,purse,jawOpen,raw.roll,raw.purse,horizontal,event"
private let frameRow = "12,0.400000000,true,0.99,-3.1,2.0,-1.2,0.08,0.02,-2.9,0.11,0.0,"

/// `frameRow` with one piece of it replaced.
private func row(_ piece: String, _ replacement: String) -> String {
  frameRow.replacingOccurrences(of: piece, with: replacement)
}

private func csv(_ records: [StreamRecord]) throws -> String {
  let bytes = try written { output in
    var writer = try CSVWriter(output)
    for record in records { try writer.write(record) }
  }
  return String(decoding: bytes, as: UTF8.self)
}

private func readAll(_ text: String) throws -> (records: [StreamRecord], isCutShort: Bool) {
  var reader = try CSVReader(InputFile(text))
  var records: [StreamRecord] = []
  while let record = try reader.next() { records.append(record) }
  return (records, reader.isCutShort)
}

@Suite("Writing CSV")
struct CSVWriterTests {
  @Test("One row a frame under the schema's columns, rows ending in CRLF, signals empty without a face")
  func rows() throws {
    let text = try csv([.header(Sample.header), .frame(Sample.frame), .frame(Sample.faceless), .end(Sample.end)])
    #expect(text == "\(headerRow)\r\n\(frameRow)\r\n13,0.433333333,false,,,,,,,,,0.0,\r\n")
  }

  @Test("A frame's events stand in its row as tokens, steering apart, which has its own column")
  func events() throws {
    let text = try csv([.frame(Sample.frame)] + Sample.events.map { .event(Sample.event($0)) } + [.end(Sample.end)])
    let tokens = """
      tilt-begin-left;tilt-begin-right;tilt-end-left;tilt-end-right;purse-begin;purse-begin;purse-end;jump-1;jump-2;\
      face-found;face-lost;release-face-lost;release-stalled;release-paused;release-unplugged;release-exit
      """
    #expect(text == "\(headerRow)\r\n\(frameRow)\(tokens)\r\n")
  }

  @Test("An event between two frames stands in the row before it, one before any frame in the first")
  func eventsBetweenFrames() throws {
    let lease = TimedEvent(frameIndex: 12, timestamp: 420_000_000, event: .release(.stalled))
    let text = try csv([
      .event(Sample.event(.face(.found))), .frame(Sample.frame), .event(lease), .frame(Sample.faceless),
      .end(Sample.end),
    ])
    let rows = text.split(separator: "\r\n")
    #expect(rows[1] == frameRow + "face-found;release-stalled")
    #expect(rows[2] == "13,0.433333333,false,,,,,,,,,0.0,")
  }

  @Test(
    "Times keep their nanoseconds",
    arguments: [(0, "0.000000000"), (1, "0.000000001"), (3_600_000_000_007, "3600.000000007")])
  func times(time: Int64, expected: String) throws {
    let state = GestureState(frameIndex: 0, timestamp: time, signals: nil, horizontal: 0)
    #expect(try csv([.frame(state), .end(Sample.end)]).contains("\r\n0,\(expected),false,"))
  }
}

@Suite("Reading CSV")
struct CSVReaderTests {
  @Test("Frames and the events that have tokens come back as they were written, but for a purse's strength")
  func roundTrip() throws {
    let events = Sample.events.filter { $0.token != nil }
    let records: [StreamRecord] = [.frame(Sample.frame)] + events.map { .event(Sample.event($0)) }
    let stream = try readAll(try csv(records + [.frame(Sample.faceless), .end(Sample.end)]))
    let expected = records.map { record in
      guard case .event(let event) = record, case .purse(let phase, _) = event.event else { return record }
      return .event(Sample.event(.purse(phase, strength: nil)))
    }
    #expect(stream.records == expected + [.frame(Sample.faceless)])
    #expect(!stream.isCutShort)
  }

  @Test(
    "Rows may end in LF, fields may be quoted, empty lines and a byte order mark do not matter",
    arguments: [
      "\(headerRow)\n\(frameRow)\n",
      "\(headerRow)\n\(frameRow)",
      "\u{FEFF}\(headerRow)\r\n\r\n\(frameRow)\r\n\r\n",
      (headerRow + "\r\n" + frameRow).split(separator: ",", omittingEmptySubsequences: false)
        .joined(separator: "\",\"").replacingOccurrences(of: "\r\n", with: "\"\r\n\"").quoted + "\r\n",
    ])
  func forms(text: String) throws {
    #expect(try readAll(text).records == [.frame(Sample.frame)])
  }

  @Test("Columns may stand in any order, and those it does not know may hold anything, quoted line endings included")
  func columns() throws {
    let names = ["note"] + headerRow.split(separator: ",").map(String.init).reversed()
    let fields = frameRow.split(separator: ",", omittingEmptySubsequences: false).map(String.init).reversed()
    let note = #""one ""two"", three\#r\#n\#nfour""#
    let text = names.joined(separator: ",") + "\r\n" + ([note] + fields).joined(separator: ",") + "\r\n"
    #expect(try readAll(text).records == [.frame(Sample.frame)])
  }

  @Test(
    "Events it does not know are passed over", arguments: ["wink", "jump-3", "jump-+1", "tilt-begin", "release-", ";"])
  func unknownEvents(token: String) throws {
    let stream = try readAll("\(headerRow)\r\n\(frameRow)\(token);jump-2\r\n")
    #expect(stream.records == [.frame(Sample.frame), .event(Sample.event(.jump(count: 2)))])
  }

  @Test("Seconds may have fewer decimals", arguments: ["0.4", "00.400", "0.400000000"])
  func seconds(text: String) throws {
    #expect(try readAll("\(headerRow)\n\(row("0.400000000", text))\n").records == [.frame(Sample.frame)])
  }

  @Test("A last row that broke off is reported, and what came before is kept", arguments: [1, 20, 60])
  func cutShort(missing: Int) throws {
    let stream = try readAll(String("\(headerRow)\n\(frameRow)\n\(frameRow)".dropLast(missing)))
    #expect(stream.records == [.frame(Sample.frame)])
    #expect(stream.isCutShort)
  }

  @Test(
    "A row that makes no sense is reported with its line and what is wrong with it",
    arguments: [
      ("12", .wrongFieldCount),
      (frameRow + ",", .wrongFieldCount),
      (row("12", "twelve"), .invalid("n")),
      (row("12", "-1"), .outOfRange("n")),
      (row("0.400000000", "-1"), .invalid("t")),
      (row("0.400000000", ""), .invalid("t")),
      (row("0.400000000", "."), .invalid("t")),
      (row("0.400000000", "1e3"), .invalid("t")),
      (row("0.400000000", "0.4000000001"), .invalid("t")),
      (row("0.400000000", "9007199.254740992"), .outOfRange("t")),
      (row("0.400000000", "0.3"), .timeRunsBackwards),
      (row("true", "yes"), .invalid("face")),
      (row("0.99", ""), .invalid("confidence")),
      (row("0.99", "nan"), .outOfRange("confidence")),
      (row("-3.1", "inf"), .outOfRange("roll")),
      (row("-3.1", "1e400"), .outOfRange("roll")),
      (row("-3.1", " -3.1"), .invalid("roll")),
      (row("-3.1", "\"-3.1\"x"), .malformed),
      (row("-3.1", "-3\".1"), .malformed),
      (row("-3.1", "\"-3.1"), .malformed),
    ] as [(String, StreamReadError.Cause)])
  func nonsense(row: String, cause: StreamReadError.Cause) throws {
    var reader = try CSVReader(InputFile("\(headerRow)\r\n\(frameRow)\r\n\(row)\r\n"))
    #expect(try reader.next() == .frame(Sample.frame))
    let error = #expect(throws: StreamReadError.self) { try reader.next() }
    #expect(error?.cause == cause)
  }

  @Test(
    "A file without the columns is reported at once",
    arguments: [
      ("", .noHeader), ("\"", .malformed), ("t,n\r\n", .missing("face")),
      (String(headerRow.dropLast()), .missing("event")),
    ] as [(String, StreamReadError.Cause)])
  func noStream(text: String, cause: StreamReadError.Cause) {
    let error = #expect(throws: StreamReadError.self) { try CSVReader(InputFile(text)) }
    #expect(error?.cause == cause)
  }

  @Test("A quote that is never closed does not swallow a file without end")
  func unclosedQuote() throws {
    let text = headerRow + "\n\"" + String(repeating: "x\n", count: 1 << 20)
    let error = #expect(throws: StreamReadError.self) { try readAll(text) }
    #expect(error?.cause == .malformed)
  }

  @Test("A row that is not UTF-8 is reported")
  func brokenUTF8() throws {
    var reader = try CSVReader(InputFile(bytes: Array((headerRow + "\n").utf8) + [0xFF, 0x0A], name: "test"))
    #expect(throws: StreamReadError(file: "test", place: .line(2), cause: .notUTF8)) { try reader.next() }
  }
}

extension String {
  fileprivate var quoted: String { "\"\(self)\"" }
}
