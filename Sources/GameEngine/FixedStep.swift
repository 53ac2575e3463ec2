// Time in steps of one length, whatever the display does.

/// Says how many steps are due; a display that pulls at any rate gets the same ones.
public struct FixedStep: Sendable, Equatable {
  /// Steps a second.
  public static let rate = 120
  public static let seconds = 1 / Double(rate)
  /// Steps that are caught up on at once, a quarter of a second; after a longer gap the game goes on from where it was.
  public static let mostAtOnce = 30

  /// Nanoseconds from step 0 to this one.
  public static func time(of tick: Int) -> Int64 { Int64(tick) * 1_000_000_000 / Int64(rate) }

  private var origin: Int64
  private var done = 0

  /// The first step is due at `time`, nanoseconds on any clock.
  public init(startingAt time: Int64) { origin = time }

  /// When the next step is due.
  public var due: Int64 { origin + Self.time(of: done) }

  /// How many steps are due by `time` that were not taken before.
  public mutating func take(until time: Int64) -> Int {
    guard time >= due else { return 0 }
    let late = (time - origin) * Int64(Self.rate) / 1_000_000_000
    // Rounding of `time(of:)` can make one more due.
    let last = Int(late) + (Self.time(of: Int(late) + 1) <= time - origin ? 1 : 0)
    let count = last + 1 - done
    guard count > Self.mostAtOnce else {
      done += count
      return count
    }
    self = FixedStep(startingAt: time)
    done = 1
    return Self.mostAtOnce
  }
}
