// Gesture streams as JSON Lines, as a specification.
import Foundation
import Gestures
import Testing

@testable import GestureStream

private let headerLine = """
  {"type":"header","schema":"faceplay.gestures/1","clock":"media",\
  "source":{"kind":"clip","name":"demo.mp4","width":640,"height":480,"fps":30},\
  "models":{"landmarks":"sha256:6bf4"},\
  "profile":{"jump":{"allowsDouble":true,"interval":0},"name":"medium","purse":{"begin":0.78,"end":0.44,"hold":0.03},\
  "sensitivity":{"purse":50,"tilt":50},"tilt":{"curve":1.5,"isInverted":false,\
  "left":{"begin":10,"end":7,"extent":30,"full":22},"noise":0.25,"right":{"begin":10,"end":7,"extent":30,"full":22}},\
  "version":2}}
  """

/// The schema's own examples, and what they say.
private let examples: [(line: String, record: StreamRecord)] = [
  (
    """
    {"type":"frame","n":12,"t":400000000,"face":true,"confidence":0.99,"roll":-3.1,"yaw":2.0,"pitch":-1.2,\
    "purse":0.08,"jawOpen":0.02,"raw":{"roll":-2.9,"purse":0.11},"horizontal":0.0}
    """,
    .frame(Sample.frame)
  ),
  (
    #"{"type":"event","n":61,"t":2033333333,"event":"tilt","phase":"begin","direction":"right"}"#,
    .event(TimedEvent(frameIndex: 61, timestamp: 2_033_333_333, event: .tilt(.begin, .right)))
  ),
  (
    #"{"type":"event","n":210,"t":7000000000,"event":"purse","phase":"begin","strength":0.8}"#,
    .event(TimedEvent(frameIndex: 210, timestamp: 7_000_000_000, event: .purse(.begin, strength: 0.8)))
  ),
  (
    #"{"type":"event","n":210,"t":7000000000,"event":"jump","count":1}"#,
    .event(TimedEvent(frameIndex: 210, timestamp: 7_000_000_000, event: .jump(count: 1)))
  ),
  (
    #"{"type":"event","n":213,"t":7100000000,"event":"face","phase":"lost"}"#,
    .event(TimedEvent(frameIndex: 213, timestamp: 7_100_000_000, event: .face(.lost)))
  ),
  (#"{"type":"end","frames":840,"dropped":0,"events":31}"#, .end(Sample.end)),
]

private let wholeStream = ([headerLine] + examples.map(\.line)).map { $0 + "\n" }.joined()

/// A frame's line with one piece of it replaced.
private func frameLine(_ piece: String, _ replacement: String) -> String {
  examples[0].line.replacingOccurrences(of: piece, with: replacement)
}

private func readAll(_ text: String) throws -> (records: [StreamRecord], isCutShort: Bool) {
  var reader = try JSONLinesReader(InputFile(text))
  var records: [StreamRecord] = []
  while let record = try reader.next() { records.append(record) }
  return (records, reader.isCutShort)
}

private func text(_ record: StreamRecord) throws -> String {
  String(decoding: try record.jsonLine(), as: UTF8.self)
}

@Suite("Writing JSON Lines")
struct JSONLinesWriterTests {
  @Test("The schema's examples are written to the letter")
  func examplesAreWritten() throws {
    let bytes = try written { output in
      let writer = JSONLinesWriter(output)
      try writer.write(.header(Sample.header))
      for example in examples { try writer.write(example.record) }
    }
    #expect(String(decoding: bytes, as: UTF8.self) == wholeStream)
  }

  @Test("Without a face the signals are absent")
  func facelessFrame() throws {
    let line = #"{"type":"frame","n":13,"t":433333333,"face":false,"horizontal":0.0}"#
    #expect(try text(.frame(Sample.faceless)) == line + "\n")
  }

  @Test(
    "Numbers are rounded, angles to 0.01 and scores to 0.001, and lose the zeros at their end",
    arguments: [
      (-3.146, "-3.15"), (-0.004, "0.0"), (0.05, "0.05"), (12.999, "13.0"), (-0.5, "-0.5"), (100, "100.0"),
    ])
  func rounding(value: Double, expected: String) throws {
    let state = GestureState(
      frameIndex: 0, timestamp: 0,
      signals: GestureState.Signals(
        confidence: 0.98765, roll: value, yaw: 0, pitch: 0, purse: 0.0004, jawOpen: 0.0006, rawRoll: 0, rawPurse: 1),
      horizontal: -0.33333)
    let line = try text(.frame(state))
    #expect(line.contains(#""confidence":0.988,"roll":\#(expected),"yaw":0.0"#))
    #expect(line.contains(#""purse":0.0,"jawOpen":0.001,"raw":{"roll":0.0,"purse":1.0},"horizontal":-0.333}"#))
  }

  @Test(
    "No number is written that could not be read again",
    arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude])
  func numbersOutOfRange(value: Double) throws {
    let state = GestureState(
      frameIndex: -1, timestamp: .max,
      signals: GestureState.Signals(
        confidence: value, roll: value, yaw: value, pitch: value, purse: value, jawOpen: value, rawRoll: value,
        rawPurse: value),
      horizontal: value)
    let records: [StreamRecord] = [
      .event(TimedEvent(frameIndex: .max, timestamp: .min, event: .horizontal(value))),
      .event(Sample.event(.purse(.begin, strength: value))), .event(Sample.event(.jump(count: 99))), .frame(state),
      .end(StreamEnd(frames: -1, dropped: .min, events: .max)),
    ]
    let stream = try readAll(try headerLine + "\n" + records.map(text).joined())
    #expect(stream.records.count == records.count)
    #expect(!stream.isCutShort)
  }

  @Test("A profile with a number that JSON cannot express is refused")
  func profileNotFinite() {
    var profile = Profile()
    profile.tilt.noise = .nan
    let header = StreamHeader(clock: .media, source: Sample.header.source, landmarkModel: nil, profile: profile)
    #expect(throws: EncodingError.self) { try StreamRecord.header(header).jsonLine() }
  }
}

@Suite("Reading JSON Lines")
struct JSONLinesReaderTests {
  @Test("The schema's examples are read as what they say")
  func examplesAreRead() throws {
    let reader = try JSONLinesReader(InputFile(wholeStream))
    #expect(reader.header == Sample.header)
    let stream = try readAll(wholeStream)
    #expect(stream.records == examples.map(\.record))
    #expect(!stream.isCutShort)
  }

  @Test("Every kind of event comes back as it was written", arguments: Sample.events)
  func eventRoundTrip(event: InputEvent) throws {
    let record = StreamRecord.event(Sample.event(event))
    #expect(try readAll(try headerLine + "\n" + text(record)).records == [record])
  }

  @Test(
    "A header comes back as it was written",
    arguments: [
      StreamHeader(
        clock: .monotonic,
        source: StreamHeader.Source(kind: .camera, name: "C922 \"Pro\"", width: 1, height: 65_535, fps: 29.97),
        landmarkModel: nil, profile: Profile(name: "Zoë\n\t\u{1}\\/🙂")),
      StreamHeader(
        clock: .media, source: StreamHeader.Source(kind: .trace, name: "", width: 640, height: 480, fps: 0),
        landmarkModel: "sha256:", profile: Profile()),
      StreamHeader(
        clock: .media,
        source: StreamHeader.Source(
          kind: StreamHeader.Kind(rawValue: "hologram"), name: "\u{7F}\u{2028}", width: 1, height: 1, fps: 24_000 / 1001
        ),
        landmarkModel: nil, profile: Profile()),
    ])
  func headerRoundTrip(header: StreamHeader) throws {
    #expect(try JSONLinesReader(InputFile(text(.header(header)))).header == header)
  }

  @Test(
    "What a newer writer adds is passed over",
    arguments: [
      #"{"type":"landmarks","n":"seven","t":-1}"#,
      #"{"type":"event","n":1,"t":5,"event":"wink","phase":"begin"}"#,
      #"{"type":"event","n":1,"t":5,"event":"tilt","phase":"hold","direction":"left"}"#,
      #"{"type":"event","n":1,"t":5,"event":"tilt","phase":"begin","direction":"back"}"#,
      #"{"type":"event","n":1,"t":5,"event":"purse","phase":"hold"}"#,
      #"{"type":"event","n":1,"t":5,"event":"face","phase":"covered"}"#,
      #"{"type":"event","n":1,"t":5,"event":"release","reason":"asleep"}"#,
      "", "  \t\r",
    ])
  func unknownRecords(line: String) throws {
    let stream = try readAll("\(headerLine)\n\(line)\n\(examples[0].line)\n\(examples[5].line)\n")
    #expect(stream.records == [.frame(Sample.frame), .end(Sample.end)])
  }

  @Test("Keys it does not know are passed over, in any order")
  func unknownKeys() throws {
    let line = #"{"extra":[{"t":-1e999},null],"dropped":0,"type":"end","events":31,"frames":840,"":{}}"#
    #expect(try readAll(headerLine + "\n" + line + "\n").records == [.end(Sample.end)])
  }

  @Test("Lines may end in CRLF")
  func carriageReturns() throws {
    let stream = try readAll(wholeStream.replacingOccurrences(of: "\n", with: "\r\n"))
    #expect(stream.records == examples.map(\.record))
  }

  @Test("What follows the end is not read")
  func afterTheEnd() throws {
    let stream = try readAll(wholeStream + "}{\n")
    #expect(stream.records.count == examples.count)
    #expect(!stream.isCutShort)
  }

  @Test("A stream cut short anywhere after its header says so, and what came before is kept")
  func everyPrefix() throws {
    let bytes = Array(wholeStream.utf8)
    // Without its last line feed the end is still whole.
    for length in headerLine.utf8.count..<(bytes.count - 2) {
      let stream = try readAll(String(decoding: bytes[..<length], as: UTF8.self))
      let lines = bytes[..<length].split(separator: UInt8(ascii: "\n")).count
      #expect(stream.isCutShort)
      #expect(stream.records.count == lines - 1 || stream.records.count == lines - 2)
      #expect(stream.records[...] == examples.prefix(stream.records.count).map(\.record)[...])
    }
    #expect(try !readAll(String(wholeStream.dropLast())).isCutShort)
  }

  @Test("A line that breaks off amid a character is one cut short")
  func cutAmidCharacter() throws {
    let bytes = Array((headerLine + "\n" + #"{"type":"note","text":"é"#).utf8).dropLast()
    var reader = try JSONLinesReader(InputFile(bytes: Array(bytes), name: "test"))
    #expect(try reader.next() == nil)
    #expect(reader.isCutShort)
  }

  @Test(
    "A line that makes no sense is reported with its number and what is wrong with it",
    arguments: [
      ("nonsense", .malformed),
      ("[]", .malformed),
      ("\"frame\"", .malformed),
      ("{\"type\":\"end\"", .malformed),
      ("{\"type\":\"end\"}\u{0}", .malformed),
      ("{}", .missing("type")),
      (#"{"type":7}"#, .invalid("type")),
      (headerLine, .secondHeader),
      (#"{"type":"event","n":1,"t":5}"#, .missing("event")),
      (#"{"type":"event","n":1,"t":5,"event":"tilt","phase":"begin"}"#, .missing("direction")),
      (#"{"type":"event","n":1,"t":5,"event":"tilt","phase":1,"direction":"left"}"#, .invalid("phase")),
      (#"{"type":"event","n":1,"t":5,"event":"jump","count":3}"#, .outOfRange("count")),
      (#"{"type":"event","n":1,"t":5,"event":"horizontal","value":1.01}"#, .outOfRange("value")),
      (#"{"type":"event","n":1,"t":5,"event":"purse","phase":"begin","strength":-0.1}"#, .outOfRange("strength")),
      (#"{"type":"end","frames":840,"dropped":-1,"events":31}"#, .outOfRange("dropped")),
      (frameLine(#""n":12,"#, ""), .missing("n")),
      (frameLine("12,", "-1,"), .outOfRange("n")),
      (frameLine("12,", "1.5,"), .invalid("n")),
      (frameLine("400000000", "-1"), .outOfRange("t")),
      (frameLine("400000000", "9007199254740992"), .outOfRange("t")),
      (frameLine("400000000", "9223372036854775808"), .invalid("t")),
      (frameLine("400000000", "1e400"), .invalid("t")),
      (frameLine("400000000", "null"), .invalid("t")),
      (frameLine("-3.1", "1e400"), .invalid("roll")),
      (frameLine("-3.1", "NaN"), .malformed),
      (frameLine("-3.1", "361"), .outOfRange("roll")),
      (frameLine("-3.1", "\"-3.1\""), .invalid("roll")),
      (frameLine("0.99", "1.2"), .outOfRange("confidence")),
      (frameLine("true", "1"), .invalid("face")),
      (frameLine(#""raw":{"roll":-2.9,"#, #""raw":{"#), .missing("raw.roll")),
      (frameLine("0.11", "-0.11"), .outOfRange("raw.purse")),
      (frameLine(#"{"roll":-2.9,"purse":0.11}"#, "7"), .invalid("raw")),
      (frameLine("400000000", "399999999"), .timeRunsBackwards),
    ] as [(String, StreamReadError.Cause)])
  func nonsense(line: String, cause: StreamReadError.Cause) throws {
    var reader = try JSONLinesReader(InputFile("\(headerLine)\n\(examples[0].line)\n\(line)\n\(examples[5].line)\n"))
    #expect(try reader.next() == .frame(Sample.frame))
    #expect(throws: StreamReadError(file: "test", place: .line(3), cause: cause)) { try reader.next() }
  }

  @Test(
    "A file that is no such stream is reported at once",
    arguments: [
      ("", .noHeader),
      ("\n\n", .noHeader),
      (examples[0].line, .noHeader),
      ("ftypmp42", .malformed),
      (
        headerLine.replacingOccurrences(of: "gestures/1", with: "gestures/2"), .unsupportedSchema("faceplay.gestures/2")
      ),
      (headerLine.replacingOccurrences(of: #""schema":"faceplay.gestures/1","#, with: ""), .missing("schema")),
      (headerLine.replacingOccurrences(of: "media", with: "sundial"), .invalid("clock")),
      (headerLine.replacingOccurrences(of: "640", with: "0"), .outOfRange("source.width")),
      (headerLine.replacingOccurrences(of: "480", with: "65536"), .outOfRange("source.height")),
      (headerLine.replacingOccurrences(of: #""fps":30"#, with: #""fps":-1"#), .outOfRange("source.fps")),
      (headerLine.replacingOccurrences(of: #""begin":10,"#, with: ""), .missing("profile.tilt.left.begin")),
      (
        headerLine.replacingOccurrences(of: #""begin":10"#, with: #""begin":70"#),
        .outOfRange("profile.tilt.left.begin")
      ),
      (
        headerLine.replacingOccurrences(of: #""version":2"#, with: #""version":3"#),
        .unsupportedSchema("profile version 3")
      ),
    ] as [(String, StreamReadError.Cause)])
  func noStream(text: String, cause: StreamReadError.Cause) {
    let error = #expect(throws: StreamReadError.self) { try JSONLinesReader(InputFile(text)) }
    #expect(error?.cause == cause)
  }

  @Test("A header with a profile of version 1 is read as the profile it stood for")
  func firstProfileVersion() throws {
    let line = """
      {"type":"header","schema":"faceplay.gestures/1","clock":"media","source":{"kind":"clip","name":"demo.mp4",\
      "width":640,"height":480,"fps":30},"models":{"landmarks":"sha256:6bf4"},"profile":{"name":"medium",\
      "purse":{"begin":0.78,"end":0.44},"tilt":{"begin":10,"curve":1.5,"end":7,"fullLeft":22,"fullRight":22}}}
      """
    #expect(try JSONLinesReader(InputFile(line)).header == Sample.header)
  }

  @Test("A line that is not UTF-8 is reported")
  func brokenUTF8() throws {
    let bytes = Array((headerLine + "\n").utf8) + [UInt8(ascii: "{"), 0xC3, 0x28, UInt8(ascii: "\n")]
    var reader = try JSONLinesReader(InputFile(bytes: bytes, name: "test"))
    #expect(throws: StreamReadError(file: "test", place: .line(2), cause: .notUTF8)) { try reader.next() }
  }

  @Test("A line of a mebibyte is read and one longer is refused, with its end or without", arguments: ["", "\n"])
  func longLines(ending: String) throws {
    func line(length: Int) -> String {
      let (start, end) = (#"{"type":"note","text":""#, #""}"#)
      return start + String(repeating: "x", count: length - start.utf8.count - end.utf8.count) + end
    }
    #expect(try readAll(headerLine + "\n" + line(length: 1 << 20) + ending).records == [])
    let error = #expect(throws: StreamReadError.self) {
      try readAll(headerLine + "\n" + line(length: 1 << 20 + 1) + ending)
    }
    #expect(error == StreamReadError(file: "test", place: .line(2), cause: .lineTooLong))
  }

  @Test("Nesting without end and numbers without end are refused", arguments: ["[", #"{"a":"#, "9"])
  func endlessValues(piece: String) throws {
    let value = String(repeating: piece, count: 100_000)
    let text = "\(headerLine)\n\(frameLine("400000000", value))\n"
    let error = #expect(throws: StreamReadError.self) { try readAll(text) }
    #expect(error?.place == .line(2))
  }

  @Test("From a pipe, each record is read as soon as its line is there")
  func livePipe() throws {
    let pipe = Pipe()
    let input = try InputFile(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    try pipe.fileHandleForWriting.write(contentsOf: Data((headerLine + "\n").utf8))
    var reader = try JSONLinesReader(input)
    let frame = examples[0].line
    try pipe.fileHandleForWriting.write(contentsOf: Data((frame + "\n" + frame.prefix(9)).utf8))
    #expect(try reader.next() == .frame(Sample.frame))
    try pipe.fileHandleForWriting.write(contentsOf: Data((frame.dropFirst(9) + "\n").utf8))
    #expect(try reader.next() == .frame(Sample.frame))
    try pipe.fileHandleForWriting.close()
    #expect(try reader.next() == nil)
    #expect(reader.isCutShort)
  }

  @Test(
    "A file that is not there, and a folder, are reported by name", arguments: [("/nowhere/x", ENOENT), ("/", EISDIR)])
  func unreadable(path: String, code: Int32) {
    let error = #expect(throws: StreamReadError.self) { try JSONLinesReader(InputFile(path: path)) }
    #expect(error == StreamReadError(file: path, place: .file, cause: .unreadable(code: code)))
  }
}
