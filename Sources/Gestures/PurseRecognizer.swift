// Lip purse: one onset a gesture, with hysteresis and a hold that lengthens after speech.

/// Steps on the purse score of each frame.
struct PurseRecognizer: Sendable {
  struct Constants {
    /// Nanoseconds the score must stay above the onset where it gets there only by the credit of a quiet mouth: four
    /// frames at 30 fps. Lips pressed or swallowing narrow a little for 0.1 s.
    static let creditedHold: Int64 = 130_000_000
    /// Nanoseconds of hold added for each interocular distance of recent mouth opening: rounded speech sounds last
    /// 0.16–0.20 s and come with an opening.
    static let holdPerRecentGap = 3e9
    /// Nanoseconds; speech never lengthens the hold beyond this.
    static let longestHold: Int64 = 250_000_000
    /// Nanoseconds taken off the hold while the score is clear.
    static let clearAdvance: Int64 = 30_000_000
    /// The odds of a clear score over the onset's: e^1.5, the fit's score + 1.5.
    static let clearOddsRatio = 4.48
  }

  enum Change: Equatable {
    case began(strength: Double)
    case ended
  }

  /// May change amid a purse, which then ends by the new threshold.
  var settings: PurseSettings
  private(set) var isActive = false
  private var aboveSince: Int64?
  /// After a release that the player did not make, the lips must be seen relaxed before they can purse anew.
  private var mustRelax = false

  init(settings: PurseSettings) {
    self.settings = settings
  }

  mutating func update(score: PurseScore, recentGap: Double, at time: Int64) -> Change? {
    if score.gated < settings.end { mustRelax = false }
    if isActive {
      guard score.gated < settings.end else { return nil }
      isActive = false
      aboveSince = nil
      return .ended
    }
    guard score.gated >= settings.begin, score.lipsAreClosed, !mustRelax else {
      aboveSince = nil
      return nil
    }
    let since = aboveSince ?? time
    aboveSince = since
    guard time - since >= hold(score, recentGap: recentGap) else { return nil }
    isActive = true
    return .began(strength: score.gated)
  }

  /// Lets go without the player's doing; whether anything was held.
  mutating func release() -> Bool {
    aboveSince = nil
    guard isActive else { return false }
    isActive = false
    mustRelax = true
    return true
  }

  private func hold(_ score: PurseScore, recentGap: Double) -> Int64 {
    let fromRest = Int64(settings.hold * 1e9)
    let afterSpeech = fromRest + Int64(min(recentGap, 1) * Constants.holdPerRecentGap)
    let hold = max(fromRest, min(Constants.longestHold, afterSpeech))
    if score.uncredited < settings.begin { return max(hold, Constants.creditedHold) }
    func odds(_ share: Double) -> Double { share / max(1 - share, .leastNonzeroMagnitude) }
    let isClear = odds(score.gated) >= Constants.clearOddsRatio * odds(settings.begin)
    return isClear ? hold - Constants.clearAdvance : hold
  }
}
