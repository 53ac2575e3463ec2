// What really happened in a clip: the file NAME.truth.json beside it.
import FoundationEssentials
import Gestures

/// A clip's gestures as scripted or as people marked them. Times are seconds from the clip's start; directions are the
/// player's.
public struct Truth: Sendable, Codable {
  public struct Tilt: Sendable, Codable {
    public let start, end: Double
    public let direction: Direction
    /// Degrees from neutral.
    public let peak: Double?
  }

  public struct Purse: Sendable, Codable {
    public let start, end: Double
  }

  /// Seconds; `nil` when no gestures are to be judged, only `roll`.
  public let duration: Double?
  /// What the player does: scripted, talk, smile, exercise, other, roll.
  public let role: String
  public private(set) var tilts: [Tilt]?
  public private(set) var purses: [Purse]?
  /// Intervals, seconds, in which a tilt is neither right nor wrong.
  public private(set) var ignoreTilts: [[Double]]?
  /// Intervals, seconds, in which a purse is neither right nor wrong.
  public private(set) var ignorePurses: [[Double]]?
  /// Where another recording begins in a joined clip: the neutral starts afresh.
  public let cuts: [Double]?
  /// Per frame, degrees, where the clip is scripted.
  public let roll: [Double]?
  /// Per frame, 0…1, where the clip is scripted.
  public let purse: [Double]?
  /// Frames a second of `roll` and `purse`.
  public let fps: Double?

  /// Throws `DecodingError`.
  public init(json: Data) throws {
    self = try JSONDecoder().decode(Truth.self, from: json)
  }
}

extension Truth {
  /// What is to be judged when `range`, seconds, has been used to learn from: gestures that touch it are neither right
  /// nor wrong.
  public func outside(_ range: ClosedRange<Double>) -> Truth {
    func ignored(_ touching: [(start: Double, end: Double)]) -> [[Double]] {
      [[range.lowerBound, max(range.upperBound, touching.map(\.end).max() ?? range.upperBound)]]
    }
    func touches(_ start: Double, _ end: Double) -> Bool { start <= range.upperBound && end >= range.lowerBound }
    var rest = self
    rest.tilts = tilts?.filter { !touches($0.start, $0.end) }
    rest.purses = purses?.filter { !touches($0.start, $0.end) }
    let usedTilts = (tilts ?? []).filter { touches($0.start, $0.end) }.map { ($0.start, $0.end) }
    let usedPurses = (purses ?? []).filter { touches($0.start, $0.end) }.map { ($0.start, $0.end) }
    rest.ignoreTilts = (ignoreTilts ?? []) + ignored(usedTilts)
    rest.ignorePurses = (ignorePurses ?? []) + ignored(usedPurses)
    return rest
  }
}

/// The gestures that are judged.
public enum Gesture: String, Sendable, CaseIterable {
  case tilt, purse
}

extension Truth {
  /// One thing that should begin once.
  struct Expected {
    let start, end: Double
    /// Seconds at which a perfect recogniser would begin: where the script crosses 12° or 0.5, else the marked start.
    let onset: Double
    /// `nil` for a purse.
    let direction: Direction?
  }

  /// Degrees of scripted roll at which a tilt is one.
  static let tiltOnset = 12.0
  /// Scripted purse at which a purse is one.
  static let purseOnset = 0.5

  func expected(_ gesture: Gesture) -> [Expected] {
    switch gesture {
    case .tilt:
      (tilts ?? []).map { tilt in
        let sign = tilt.direction == .right ? 1.0 : -1.0
        let onset = crossing(of: roll, from: tilt.start, to: tilt.end) { $0 * sign >= Self.tiltOnset }
        return Expected(start: tilt.start, end: tilt.end, onset: onset ?? tilt.start, direction: tilt.direction)
      }
    case .purse:
      (purses ?? []).map { purse in
        let onset = crossing(of: self.purse, from: purse.start, to: purse.end) { $0 >= Self.purseOnset }
        return Expected(start: purse.start, end: purse.end, onset: onset ?? purse.start, direction: nil)
      }
    }
  }

  func ignored(_ gesture: Gesture) -> [ClosedRange<Double>] {
    ((gesture == .tilt ? ignoreTilts : ignorePurses) ?? []).compactMap { pair in
      pair.count == 2 && pair[0] <= pair[1] ? pair[0]...pair[1] : nil
    }
  }

  /// Minutes in which a false event would be counted.
  func judgedMinutes(_ gesture: Gesture) -> Double {
    guard let duration else { return 0 }
    var skipped = 0.0
    var reached = 0.0
    for interval in ignored(gesture).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let from = max(interval.lowerBound, reached)
      let to = min(interval.upperBound, duration)
      if to > from { skipped += to - from }
      reached = max(reached, to)
    }
    return max(duration - skipped, 0) / 60
  }

  private func crossing(
    of track: [Double]?, from start: Double, to end: Double, where crosses: (Double) -> Bool
  ) -> Double? {
    guard let track, let fps, fps > 0 else { return nil }
    return track.indices.first { frame in
      let time = Double(frame) / fps
      return time >= start - 0.5 / fps && time <= end && crosses(track[frame])
    }.map { Double($0) / fps }
  }
}
