// A clip's events against the truth beside it.
import Calibration
import Capture
import Evaluation
import FaceGeometry
import FoundationEssentials
import GestureStream
import Gestures
import Synchronization

/// One clip's result: one person, in the material that there is.
public struct ClipEvaluation: Sendable {
  /// The file's name without its extension.
  public let name: String
  public let role: String
  public let tallies: [Gesture: Tally]
  /// `nil` when the truth scripts no roll.
  public let roll: RollAccuracy?
  /// See `ObservationFeed`.
  public let notice: String?
  /// See `ObservationFeed`.
  public let damage: String?
  /// What calibrating on a part of the clip gave; `nil` when that was not asked for.
  public let calibration: Result<CalibrationAnalysis, CalibrationRefusal>?

  /// Runs the recognisers over the clip or trace at `path`, afresh at each cut, and judges what they tell by
  /// `NAME.truth.json` beside it. With `calibrateFrom`, seconds, the player is calibrated on that part, as the truth
  /// labels it, and judged on the rest; where that is refused, `profile` serves. Throws `TruthError`,
  /// `NothingLeftError` and what feeds throw.
  public init(
    path: String, profile: Profile, calibrateFrom range: ClosedRange<Double>? = nil,
    options: FeedOptions = FeedOptions(), data: DataFiles
  ) throws {
    let stem = URL(filePath: path).deletingPathExtension()
    name = stem.lastPathComponent
    let truth = try Self.truth(at: stem.path(percentEncoded: false) + ".truth.json")
    role = truth.role
    let feed = try openFeed(path, pace: .fast, options: options, data: data)
    notice = feed.notice
    let told = Mutex(Told())
    var run = Run(profile, truth, range) { record in told.withLock { $0.add(record) } }
    try feed.run { run.process($0) }
    damage = feed.damage
    guard run.end(dropped: feed.metrics.framesDropped) else { throw NothingLeftError(path: path, end: run.reached) }
    calibration = run.calibration
    let all = told.withLock { $0 }
    let judged = range.map(truth.outside) ?? truth
    tallies = Dictionary(
      uniqueKeysWithValues: Gesture.allCases.map { ($0, Tally($0, events: all.events, truth: judged)) })
    roll = RollAccuracy(measured: all.rolls, truth: truth)
  }

  /// A session over one clip: first calibrated, if that is wanted, on observations held back for it.
  private struct Run {
    private let profile: Profile
    private let truth: Truth
    private let range: ClosedRange<Double>?
    private let sink: GestureSession.Sink
    private var heldBack: [FaceObservation] = []
    private var session: GestureSession?
    private var cuts: ArraySlice<Double>
    /// Seconds.
    private(set) var reached = 0.0
    private(set) var calibration: Result<CalibrationAnalysis, CalibrationRefusal>?

    init(_ profile: Profile, _ truth: Truth, _ range: ClosedRange<Double>?, _ sink: @escaping GestureSession.Sink) {
      self.profile = profile
      self.truth = truth
      self.range = range
      self.sink = sink
      cuts = (truth.cuts ?? [])[...]
    }

    mutating func process(_ observation: FaceObservation) {
      reached = Double(observation.timestamp) / 1e9
      if session == nil {
        if let range, reached <= range.upperBound {
          heldBack.append(observation)
          return
        }
        start()
      }
      tell(observation)
    }

    /// `false` when the clip ended before the part that is to be judged.
    mutating func end(dropped: Int) -> Bool {
      guard range == nil || session != nil else { return false }
      if session == nil { start() }
      session?.end(.exit, dropped: dropped)
      return true
    }

    private mutating func start() {
      if let range {
        let takes = truth.takes(of: heldBack.filter { range.contains(Double($0.timestamp) / 1e9) })
        calibration = Result { [profile] () throws(CalibrationRefusal) in
          try CalibrationAnalysis(takes, base: profile)
        }
      }
      let found = try? calibration?.get().profile
      session = GestureSession(profile: found ?? profile, isLive: false, sink: sink)
      for observation in heldBack { tell(observation) }
      heldBack = []
    }

    private mutating func tell(_ observation: FaceObservation) {
      while let cut = cuts.first, Double(observation.timestamp) >= cut * 1e9 {
        session?.restart(at: observation.timestamp)
        cuts = cuts.dropFirst()
      }
      session?.process(observation)
    }
  }

  private struct Told {
    var events: [TimedEvent] = []
    var rolls: [Int: Double] = [:]

    mutating func add(_ record: StreamRecord) {
      switch record {
      case .event(let event): events.append(event)
      case .frame(let frame): rolls[frame.frameIndex] = frame.signals?.rawRoll
      case .header, .end: break
      }
    }
  }

  private static func truth(at path: String) throws(TruthError) -> Truth {
    guard let file = try? openRegularFile(path),
      let bytes = try? InputFile(descriptor: file, name: path).bytes(greatestTruthSize)
    else { throw .missing(path: path) }
    guard let truth = try? Truth(json: Data(bytes)) else { throw .broken(path: path) }
    return truth
  }

  /// Bytes; a number for each of an hour's frames takes a tenth.
  private static let greatestTruthSize = 1 << 24
}

/// A clip that is over before the part on which its player is calibrated: nothing is left to judge.
public struct NothingLeftError: Error, Sendable, Equatable, CustomStringConvertible {
  public let path: String
  /// Seconds: the clip's last frame.
  public let end: Double

  public var description: String {
    let tenths = Int((end * 10).rounded(.down))
    return "\(path) ends at \(tenths / 10).\(tenths % 10) s: nothing is left to judge after calibrating; "
      + "name a part that ends earlier"
  }
}

public enum TruthError: Error, Sendable, Equatable, CustomStringConvertible {
  case missing(path: String)
  case broken(path: String)

  public var description: String {
    switch self {
    case .missing(let path): "\(path) cannot be read; evaluate needs the truth beside each clip"
    case .broken(let path):
      "\(path) is not a clip's truth: it must hold a role, and what happens: tilts, purses or roll"
    }
  }
}
