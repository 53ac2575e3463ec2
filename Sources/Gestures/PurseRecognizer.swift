// Lip purse: one onset a gesture, with hysteresis and a hold that lengthens after speech.

/// Steps on the gated purse score.
struct PurseRecognizer: Sendable {
  struct Constants {
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

  mutating func update(score: Double, recentGap: Double, at time: Int64) -> Change? {
    if score < settings.end { mustRelax = false }
    if isActive {
      guard score < settings.end else { return nil }
      isActive = false
      aboveSince = nil
      return .ended
    }
    guard score >= settings.begin, !mustRelax else {
      aboveSince = nil
      return nil
    }
    let since = aboveSince ?? time
    aboveSince = since
    guard time - since >= hold(score: score, recentGap: recentGap) else { return nil }
    isActive = true
    return .began(strength: score)
  }

  /// Lets go without the player's doing; whether anything was held.
  mutating func release() -> Bool {
    aboveSince = nil
    guard isActive else { return false }
    isActive = false
    mustRelax = true
    return true
  }

  private func hold(score: Double, recentGap: Double) -> Int64 {
    let fromRest = Int64(settings.hold * 1e9)
    let afterSpeech = fromRest + Int64(min(recentGap, 1) * Constants.holdPerRecentGap)
    let hold = max(fromRest, min(Constants.longestHold, afterSpeech))
    let odds = score / max(1 - score, .leastNonzeroMagnitude)
    let onsetOdds = settings.begin / max(1 - settings.begin, .leastNonzeroMagnitude)
    return odds >= Constants.clearOddsRatio * onsetOdds ? hold - Constants.clearAdvance : hold
  }
}
