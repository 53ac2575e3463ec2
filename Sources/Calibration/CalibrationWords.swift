// A calibration's result in words that a player understands.
import Gestures

extension CalibrationScript {
  /// What was found, one sentence or two a line.
  public func words(_ analysis: CalibrationAnalysis, _ language: Language) -> [String] {
    let tilt = analysis.tilt.map { words($0, language) } ?? [text(.tiltNotMeasured, language)]
    let purse = analysis.purse.map { words($0, language) } ?? [text(.purseNotMeasured, language)]
    return tilt + purse
  }

  /// Why there is no profile, and what to do.
  public func words(_ refusal: CalibrationRefusal, _ language: Language) -> String {
    func side(_ direction: Direction) -> String { text(direction == .left ? .left : .right, language) }
    return switch refusal {
    case .nothingMeasured: text(.refusedNothing, language)
    case .noFace: text(.refusedNoFace, language)
    case .noTilt(let direction): text(.refusedNoTilt, language, ["side": side(direction)])
    case .tremble(let direction, let extent, let noise):
      text(
        .refusedTremble, language,
        ["side": side(direction), "extent": rounded(extent), "noise": rounded(noise, 1)])
    case .purseTilts(let direction, let extent, let roll):
      text(
        .refusedPurseTilts, language,
        ["side": side(direction), "extent": rounded(extent), "degrees": rounded(roll)])
    case .noPurse: text(.refusedNoPurse, language)
    case .purseLikeRest: text(.refusedPurseLikeRest, language)
    case .purseLikeTalk(let miss, let rate):
      text(.refusedPurseLikeTalk, language, ["miss": rounded(100 * miss), "false": rounded(rate, 1)])
    case .trial: text(.refusedTrial, language)
    case .ended: text(.refusedEnded, language)
    }
  }

  /// What happens now, and how long; `nil` when it is over.
  public func words(_ status: GuidedCalibration.Status, _ language: Language) -> String? {
    switch status.phase {
    case .waitingForFace: text(.noFaceYet, language)
    case .preparing(let left): text(.getReady, language, ["seconds": rounded(left.rounded(.up))])
    case .measuring(let left): text(.now, language, ["seconds": rounded(left.rounded(.up))])
    case .finished: nil
    }
  }

  /// How many purses were seen, while they are counted.
  public func purses(_ status: GuidedCalibration.Status, _ language: Language) -> String? {
    status.purses.map { text(.seenPurses, language, ["seen": "\($0.seen)", "wanted": "\($0.wanted)"]) }
  }

  private func words(_ tilt: TiltCalibration, _ language: Language) -> [String] {
    let (left, right) = (tilt.settings.left, tilt.settings.right)
    let values = [
      "left": rounded(left.extent), "right": rounded(right.extent), "beginLeft": rounded(left.begin),
      "beginRight": rounded(right.begin), "fullLeft": rounded(left.full), "fullRight": rounded(right.full),
    ]
    var lines = [text(.tiltResult, language, values)]
    if tilt.talkTilts { lines.append(text(.talkTilts, language)) }
    if let roll = tilt.purseRoll { lines.append(text(.purseTilts, language, ["degrees": rounded(roll, 1)])) }
    return lines
  }

  private func words(_ purse: PurseCalibration, _ language: Language) -> [String] {
    let verdict: CalibrationText =
      switch purse.separability {
      case .clear: .purseClear
      case .fair: .purseFair
      case .poor: .pursePoor
      }
    let values = [
      "miss": rounded(100 * purse.miss), "missAtMost": rounded(100 * purse.missAtMost),
      "false": rounded(purse.falsePerMinute, 1), "count": "\(purse.count)", "talk": "\(purse.talkSeconds)",
    ]
    var lines = [text(verdict, language), text(.purseRates, language, values)]
    if purse.talkSeconds == 0 { lines.append(text(.talkNotMeasured, language)) }
    if let coupling = purse.coupling, coupling < -1 { lines.append(text(.couplingLower, language)) }
    return lines
  }

  /// Of a number that is not negative, with at most one digit after the point.
  private func rounded(_ value: Double, _ digits: Int = 0) -> String {
    let tenths = Int((value * (digits == 0 ? 1 : 10)).rounded()) * (digits == 0 ? 10 : 1)
    return digits == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
