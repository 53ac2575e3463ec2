// Words to commands, and what is shown.
import Calibration
import Capture
import Evaluation
import Frames
import GestureStream
import Gestures
import Glibc
import Testing

@testable import FacePlayService
@testable import faceplay

@Suite("Arguments")
struct ArgumentsTests {
  private func parse(_ words: String...) throws(UsageError) -> Arguments { try Arguments(words, for: .export) }

  @Test("Options and operands stand in any order, values after = or in the next word")
  func order() throws {
    let one = try parse("-o", "x", "clip", "--format=csv")
    let other = try parse("--format", "csv", "clip", "-o=x")
    #expect(one == other)
    #expect(one.operands == ["clip"] && one["-o"] == "x" && one["--format"] == "csv")
  }

  @Test("After -- everything is an operand, and - alone is one or a value")
  func dashes() throws {
    #expect(try parse("-o", "-", "--", "--odd.mp4").operands == ["--odd.mp4"])
    #expect(try parse("-").operands == ["-"])
  }

  @Test("What makes no sense says why")
  func errors() {
    #expect(throws: UsageError.unknownOption("--bad", command: "export")) { try parse("clip", "--bad") }
    #expect(throws: UsageError.missingValue(option: "-o", value: "FILE")) { try parse("clip", "-o") }
    #expect(throws: UsageError.repeated(option: "-o")) { try parse("clip", "-o", "a", "-o", "b") }
    #expect(throws: UsageError.self) { try parse() }
    #expect(throws: UsageError.self) { try parse("one", "two") }
    #expect(throws: UsageError.unexpectedValue(option: "--stream")) {
      try Arguments(["--stream=x"], for: .track)
    }
  }

  @Test("What must be is told in words")
  func words() {
    #expect {
      let _: ExportFormat? = try parse("clip", "--format", "png").choice("--format")
    } throws: {
      "\($0)" == "--format cannot be “png”; it must be jsonl, csv or landmarks"
    }
  }

  @Test("Each command's help names its options", arguments: Command.all.indices)
  func help(index: Int) {
    let command = Command.all[index]
    #expect(command.help.contains("faceplay \(command.name)"))
    for option in command.options { #expect(command.help.contains(option.name)) }
    #expect(Program.help.contains(command.summary))
  }
}

@Suite("Exit statuses")
struct ExitStatusTests {
  @Test(
    "Each failure has its status, as sysexits has them",
    arguments: [
      (UsageError.noCommand, .usage), (ProfileError.badName("", rule: ""), .usage),
      (NothingLeftError(path: "x", end: 1), .usage),
      (CaptureError.fileNotFound(path: "x"), .noInput), (CaptureError.noPermission(path: "x"), .noInput),
      (ProfileError.unknown("x", known: []), .noInput), (ProfileError.unreadable(path: "x", reason: ""), .noInput),
      (TruthError.missing(path: "x"), .noInput), (TruthError.broken(path: "x"), .data),
      (CaptureError.cameraBusy(path: "x", holder: nil), .unavailable), (PlayError.noTerminal, .unavailable),
      (CaptureError.outOfMemory(path: "x"), .system), (DataFileError(name: "x", folders: []), .systemFile),
      (StreamWriteError(file: "x", code: ENOENT), .cannotCreate),
      (StreamWriteError(file: "x", code: EEXIST), .cannotCreate),
      (StreamWriteError(file: "x", code: EISDIR), .cannotCreate),
      (StreamWriteError(file: "x", code: EROFS), .cannotCreate),
      (StreamWriteError(file: "x", code: EACCES), .noPermission),
      (StreamWriteError(file: "x", code: EPERM), .noPermission),
      (StreamWriteError(file: "x", code: ENOSPC), .inputOutput),
      (StreamWriteError(file: "x", code: EPIPE), .inputOutput),
      (ProfileError.exists("x"), .cannotCreate), (CaptureError.cameraDenied(path: "x", group: nil), .noPermission),
      (CaptureError.cameraFailed(path: "x", errno: EIO), .inputOutput),
      (ProfileError.notAProfile(path: "x", reason: ""), .configuration),
      (ProfileError.futureVersion(path: "x", version: 3), .configuration),
    ] as [(any Error & Sendable, faceplay.ExitStatus)])
  func table(error: any Error & Sendable, status: faceplay.ExitStatus) {
    #expect(faceplay.ExitStatus(error) == status)
  }
}

@Suite("Live view")
struct LiveViewTests {
  private var status: LiveStatus {
    var status = LiveStatus()
    for frame in 0..<30 {
      status.add(
        .frame(
          GestureState(
            frameIndex: frame, timestamp: Int64(frame) * 33_333_333,
            signals: .init(
              confidence: 0.98, roll: 15, yaw: 0, pitch: 0, purse: 0.9, jawOpen: 0, rawRoll: 15, rawPurse: 0.9),
            horizontal: 0.3)))
    }
    status.add(.event(TimedEvent(frameIndex: 1, timestamp: 1_000_000_000, event: .face(.found))))
    status.add(.event(TimedEvent(frameIndex: 1, timestamp: 1_000_000_000, event: .tilt(.begin, .right))))
    status.add(.event(TimedEvent(frameIndex: 2, timestamp: 2_000_000_000, event: .jump(count: 2))))
    return status
  }

  private func figures(silence: Double? = 0.01) -> LiveFigures {
    LiveFigures(title: "faceplay", profile: Profile(), latency: (9.1, 12), dropped: 4, silence: silence)
  }

  @Test("The view shows face, meters, steering, jumps, rates and events")
  func content() {
    let text = LiveView.lines(status, figures(), width: 120).joined(separator: "\n")
    for part in [
      "● found, confidence 0.98", "+15.0°", "right ▶", "+0.90", "+0.30", "double jump", "30.0 fps", "9.1 ms", "12.0 ms",
      "4 dropped",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test("No line is wider than the terminal", arguments: [1, 5, 20, 40, 80, 200])
  func width(columns: Int) {
    #expect(LiveView.lines(status, figures(), width: columns).allSatisfy { $0.count <= max(columns - 1, 1) })
  }

  @Test("A source that has stalled is said to have")
  func stalled() {
    let text = LiveView.lines(status, figures(silence: 2.5), width: 120).joined()
    #expect(text.contains("no frame for 2 s"))
  }

  @Test(
    "What keeps the camera from delivering stands where the face would, until it delivers",
    arguments: [
      (CameraCondition.unplugged, "unplugged"), (.stalled, "no frame"), (.busy(holder: "cheese"), "cheese has it open"),
      (.denied(group: "video"), "“video”"), (.failing(errno: EIO), "Input/output error"),
    ])
  func trouble(condition: CameraCondition, words: String) {
    var status = status
    status.add(condition)
    #expect(LiveView.lines(status, figures(), width: 120)[2].contains(words))
    status.add(.delivering)
    #expect(LiveView.lines(status, figures(), width: 120)[2].contains("● found"))
  }

  @Test("The roll meter grows to the player's side and ends at full speed")
  func rollMeter() {
    let meters = [-22.0, 0, 22, 90].map { LiveView.rollMeter($0, TiltSettings()) }
    #expect(meters[0].hasPrefix("[█") && !meters[0].hasSuffix("█]"))
    #expect(meters[1].filter { $0 == "█" }.count == 1)
    #expect(meters[2].hasSuffix("█]") && meters[2] == meters[3])
  }

  @Test("The purse meter is empty at 0 and full at 1")
  func purseMeter() {
    #expect(!LiveView.purseMeter(0, PurseSettings()).contains("█"))
    #expect(LiveView.purseMeter(1, PurseSettings()).filter { $0 == "█" }.count == 30)
  }
}

@Suite("Cameras in words")
struct CameraTextTests {
  private func offer(_ format: UInt32, _ width: Int, _ rates: [Double], isUsable: Bool = true) -> CameraOffer {
    CameraOffer(
      format: CameraFormat(code: format), width: CameraSideRange(width, through: width, by: 1),
      height: CameraSideRange(480, through: 480, by: 1), rates: rates, isJPEG: false, isUsable: isUsable)
  }

  @Test("A mode is a line; formats that cannot be read share one")
  func modes() {
    let (yuyv, h264): (UInt32, UInt32) = (0x5659_5559, 0x3436_3248)
    let lines = CameraText.modes([
      offer(yuyv, 640, [30, 7.5]), offer(yuyv, 320, []), offer(h264, 640, [30], isUsable: false),
      offer(h264, 320, [30], isUsable: false),
    ])
    #expect(
      lines == [
        "YUYV  640x480     30, 7.50 fps", "YUYV  320x480     rate not told", "not readable here: H264",
      ])
  }

  @Test("A camera that gave no frame is measured without figures")
  func nothing() {
    let text = CameraText.result(CameraMeasurement(), CameraLosses(), LatencyHistogram())
    #expect(text.contains("0 frames, 0.00 fps") && text.contains("within – of"))
  }
}

@Suite("Numbers and words")
struct TextTests {
  @Test(
    "Numbers are rounded to their digits",
    arguments: [(1.005, 1, "1.0"), (-0.04, 1, "0.0"), (-2.96, 1, "−3.0"), (0.999, 2, "1.00"), (12.5, 0, "13")])
  func numbers(value: Double, digits: Int, text: String) {
    #expect(number(value, digits) == text)
  }

  @Test("Every event has words of its own")
  func words() {
    let events: [InputEvent] = [
      .tilt(.begin, .left), .tilt(.end, .left), .tilt(.begin, .right), .tilt(.end, .right),
      .purse(.begin, strength: 0.8), .purse(.end, strength: nil), .jump(count: 1), .jump(count: 2), .horizontal(0.5),
      .face(.found), .face(.lost), .release(.stalled), .release(.faceLost), .release(.exit),
    ]
    #expect(Set(events.map(EventText.words)).count == events.count)
  }

  @Test("Progress shows a share where the duration is known")
  func progress() {
    var summary = ClipExport.Summary()
    summary.reached = 14_000_000_000
    #expect(ProgressBar.text(summary, duration: 28_000_000_000).contains("50 % · 14 of 28 s"))
    #expect(ProgressBar.text(summary, duration: nil) == "14 s")
  }
}
