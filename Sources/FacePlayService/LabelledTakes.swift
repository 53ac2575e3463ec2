// A clip's observations as calibration takes, by what the truth says happened.
import Calibration
import Evaluation
import FaceGeometry

extension Truth {
  private struct Margin {
    /// Seconds by which a purse's marked edges may be off.
    static let purse = 0.1
    /// Seconds around a gesture that are neither it nor rest.
    static let around = 0.3
  }

  /// Runs of the same activity; what is on the way from one to another, or not known, is in none.
  func takes(of observations: [FaceObservation]) -> [CalibrationTake] {
    var takes: [CalibrationTake] = []
    var current: (activity: Activity, observations: [FaceObservation])?
    for observation in observations {
      let activity = activity(at: Double(observation.timestamp) / 1e9)
      if activity != current?.activity {
        if let current { takes.append(CalibrationTake(current.activity, current.observations)) }
        current = activity.map { ($0, []) }
      }
      current?.observations.append(observation)
    }
    if let current { takes.append(CalibrationTake(current.activity, current.observations)) }
    return takes
  }

  private func activity(at time: Double) -> Activity? {
    let tilt = (tilts ?? []).first { ($0.start...$0.end).contains(time) }
    let isPursed = (purses ?? []).contains { time >= $0.start - Margin.purse && time <= $0.end + Margin.purse }
    switch (tilt?.direction, isPursed) {
    case (.left?, false): return .tiltLeft
    case (.right?, false): return .tiltRight
    case (.left?, true): return .tiltLeftAndPurse
    case (.right?, true): return .tiltRightAndPurse
    case (nil, true): return .purse
    case (nil, false): return isQuiet(at: time) ? (role == "talk" ? .talk : role == "smile" ? .smile : .rest) : nil
    }
  }

  private func isQuiet(at time: Double) -> Bool {
    let gestures = (tilts ?? []).map { ($0.start, $0.end) } + (purses ?? []).map { ($0.start, $0.end) }
    let unknown = ((ignoreTilts ?? []) + (ignorePurses ?? [])).filter { $0.count == 2 }.map { ($0[0], $0[1]) }
    return !(gestures + unknown).contains { time >= $0.0 - Margin.around && time <= $0.1 + Margin.around }
  }
}
