// What several commands take.
import Calibration
import Capture
import FacePlayService
import FaceTracking
import Gestures

extension Command.Option {
  static let profile = Command.Option(
    name: "--profile", value: "NAME",
    summary: "low, medium (the default), high, a profile of your own, or the path of one (with a /)")
  static let engine = Command.Option(
    name: "--engine", value: "ENGINE",
    summary: "what computes the face networks: fused or dnn (OpenCV); the fastest that can be had unless said")
  static let keepRate = Command.Option(
    name: "--keep-rate", value: nil, summary: "keep a camera's frame rate in poor light; the picture gets darker")
  static let stream = Command.Option(
    name: "--stream", value: nil, summary: "write the gesture stream to standard output as JSON Lines")
}

extension Arguments {
  /// The camera or clip that is named, if one is. Throws `UsageError` where two are.
  func sourceName() throws(UsageError) -> String? {
    if has("--source"), !operands.isEmpty { throw .repeated(option: "the source") }
    return self["--source"] ?? operands.first
  }

  /// What `--engine` and `--keep-rate` say. Throws `UsageError`.
  func feedOptions() throws -> FeedOptions {
    var options = FeedOptions()
    options.engine = try choice("--engine")
    options.keepsRate = has("--keep-rate")
    return options
  }

  /// What `--profile` names. Throws `ProfileError`.
  func profileChoice() throws -> ProfileChoice { try ProfileChoice(self["--profile"] ?? Preset.medium.rawValue) }

  /// What `--profile` names, or else the player's own profile once there is one. Throws as `profile` does.
  func playerProfile(_ data: DataFiles) throws -> Profile {
    if self["--profile"] == nil,
      let own = try waiting(for: { try await ProfileStore().load(try ProfileName(Profile.ownName)) })
    {
      return own
    }
    return try profile(data)
  }

  /// The profile that `--profile` names. Throws `DataFileError` or `ProfileError`.
  func profile(_ data: DataFiles) throws -> Profile {
    let choice = try profileChoice()
    return try waiting { try await choice.load(from: ProfileStore(), data: data) }
  }
}

extension Command {
  /// What is named, or else the first camera, or else the demo clip.
  static func open(_ arguments: Arguments, _ data: DataFiles) throws -> any ObservationFeed {
    try openOrDemo(try arguments.sourceName(), arguments, data, again: false).feed
  }

  /// Also says whether it is the demo clip because there is no camera. With `again`, a clip that is over is played again.
  static func openOrDemo(
    _ name: String?, _ arguments: Arguments, _ data: DataFiles, again: Bool
  ) throws -> (feed: any ObservationFeed, isDemo: Bool) {
    let options = try arguments.feedOptions()
    func open(_ name: String) throws -> any ObservationFeed {
      let open = { @Sendable in try openFeed(name, pace: .realTime, options: options, data: data) }
      return again ? try LoopedFeed(open) : try open()
    }
    if let name { return (try open(name), false) }
    do {
      return (try openFeed(try CameraCatalogue.first(), options: options, data: data), false)
    } catch let error as CaptureError {
      printError("faceplay: \(error); playing the demo clip instead")
      return (try open(try data.path("clips/demo.mp4")), true)
    }
  }
}

extension ObservationFeed {
  /// One line on standard error about what is wrong with a source that was read all the same; the status that goes with
  /// it.
  func tellDamage() -> ExitStatus {
    guard let damage else { return .ok }
    printError("faceplay: \(damage); what could be read counts")
    return .data
  }

  /// One line on standard error, if there is something to tell of how faces are tracked.
  func tellNotice() {
    if let notice { printError("faceplay: \(notice)") }
  }
}
