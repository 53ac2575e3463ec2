// A clip's events against the truth beside it.
import Calibration
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
  /// labels it, and judged on the rest; where that is refused, `profile` serves. Throws `TruthError` and what feeds
  /// throw.
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
    run.end(dropped: feed.metrics.framesDropped)
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
    private(set) var calibration: Result<CalibrationAnalysis, CalibrationRefusal>?

    init(_ profile: Profile, _ truth: Truth, _ range: ClosedRange<Double>?, _ sink: @escaping GestureSession.Sink) {
      self.profile = profile
      self.truth = truth
      self.range = range
      self.sink = sink
      cuts = (truth.cuts ?? [])[...]
    }

    mutating func process(_ observation: FaceObservation) {
      if session == nil {
        if let range, Double(observation.timestamp) / 1e9 <= range.upperBound {
          heldBack.append(observation)
          return
        }
        start()
      }
      tell(observation)
    }

    mutating func end(dropped: Int) {
      if session == nil { start() }
      session?.end(.exit, dropped: dropped)
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
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { throw .missing(path: path) }
    guard let truth = try? Truth(json: data) else { throw .broken(path: path) }
    return truth
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
