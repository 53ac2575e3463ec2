// A clip's events against the truth beside it.
import Evaluation
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

  /// Runs the recognisers over the clip or trace at `path`, afresh at each cut, and judges what they tell by
  /// `NAME.truth.json` beside it. Throws `TruthError` and what feeds throw.
  public init(path: String, profile: Profile, options: FeedOptions = FeedOptions(), data: DataFiles) throws {
    let stem = URL(filePath: path).deletingPathExtension()
    name = stem.lastPathComponent
    let truth = try Self.truth(at: stem.path(percentEncoded: false) + ".truth.json")
    role = truth.role
    let feed = try openFeed(path, pace: .fast, options: options, data: data)
    notice = feed.notice
    let told = Mutex(Told())
    let session = GestureSession(profile: profile, isLive: false) { record in told.withLock { $0.add(record) } }
    var cuts = (truth.cuts ?? [])[...]
    try feed.run { observation in
      while let cut = cuts.first, Double(observation.timestamp) >= cut * 1e9 {
        session.restart(at: observation.timestamp)
        cuts = cuts.dropFirst()
      }
      session.process(observation)
    }
    damage = feed.damage
    session.end(.exit, dropped: feed.metrics.framesDropped)
    let all = told.withLock { $0 }
    tallies = Dictionary(
      uniqueKeysWithValues: Gesture.allCases.map { ($0, Tally($0, events: all.events, truth: truth)) })
    roll = RollAccuracy(measured: all.rolls, truth: truth)
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
