// From recordings to a profile that works, or a refusal.
import FaceGeometry
import Gestures

/// A finished calibration: pure arithmetic on what was recorded.
///
/// The takes go through the session's own recogniser twice: once with the player's neutral, to measure; once under the
/// profile found, to see that the recording itself would play.
public struct CalibrationAnalysis: Sendable, Equatable {
  public struct Constants {
    /// Of the purses recorded, how many must begin under the profile found.
    static let leastPlayed = 0.6
    /// Degrees of yaw from the median beyond which a frame says nothing of the neutral: the mesh guesses its far side.
    static let greatestYaw = 30.0
  }

  /// Its sensitivity is 50 %: the calibrated point.
  public let profile: Profile
  /// `nil`: not measured, the settings are as they were.
  public let tilt: TiltCalibration?
  public let purse: PurseCalibration?

  /// `takes` in order of time. What they do not show stays as it is in `base`, and so do the name and what calibration
  /// does not judge: curve, inversion, holds, jumps.
  public init(_ takes: [CalibrationTake], base: Profile) throws(CalibrationRefusal) {
    var profile = base
    profile.sensitivity = Sensitivity()
    let resting = takes.filter { $0.activity == .rest }.flatMap(\.observations)
    if let neutral = Neutral(resting: resting.compactMap { $0.landmarks.flatMap(FaceSignals.init) }) {
      profile.neutral = neutral
    }
    let measured = Self.measure(takes, profile)
    guard measured.contains(where: { !$0.frames.isEmpty }) else {
      throw takes.isEmpty ? .nothingMeasured : .noFace
    }
    let hasTilts = takes.contains { $0.activity == .tiltLeft || $0.activity == .tiltRight }
    tilt = hasTilts ? try TiltCalibration(measured, base: profile.tilt) : nil
    profile.tilt = tilt?.settings ?? profile.tilt
    let hasPurses = takes.contains { $0.activity == .purse }
    purse = hasPurses ? try PurseCalibration(measured, base: profile.purse) : nil
    profile.purse = purse?.settings ?? profile.purse
    guard Self.plays(takes, profile, purses: purse?.count) else { throw .trial }
    self.profile = profile
  }

  private static func measure(_ takes: [CalibrationTake], _ profile: Profile) -> [MeasuredTake] {
    var recognizer = GestureRecognizer(profile: profile)
    return takes.map { take in
      var measured = MeasuredTake(activity: take.activity)
      for observation in take.observations { measured.add(observation, &recognizer) }
      return measured
    }
  }

  /// Whether the recording, under the profile, steers fully to each side that was tilted to, and purses.
  private static func plays(_ takes: [CalibrationTake], _ profile: Profile, purses: Int?) -> Bool {
    guard (try? profile.validate()) != nil else { return false }
    var recognizer = GestureRecognizer(profile: profile)
    var begun = 0
    for take in takes {
      var steered = 0.0
      for observation in take.observations {
        let (state, events) = recognizer.process(observation)
        steered = max(steered, abs(state.horizontal))
        guard take.activity.hasPurses else { continue }
        begun += events.count { if case .purse(.begin, _) = $0.event { true } else { false } }
      }
      if take.activity == .tiltLeft || take.activity == .tiltRight, steered < 1 { return false }
    }
    return purses.map { Double(begun) >= Constants.leastPlayed * Double($0) } ?? true
  }
}

extension Neutral {
  /// Medians of a face at rest; the lips' over the half of the frames in which the mouth is most closed. `nil` without
  /// a face.
  init?(resting signals: [FaceSignals]) {
    guard !signals.isEmpty else { return nil }
    func median(_ values: [Double]) -> Double { quantile(0.5, of: values) }
    let yaw = median(signals.map(\.pose.yaw))
    let facing = signals.filter { abs($0.pose.yaw - yaw) < CalibrationAnalysis.Constants.greatestYaw }
    let closed = median(facing.map(\.lips.innerGap))
    let resting = facing.map(\.lips).filter { $0.innerGap <= closed }
    self.init(
      roll: median(facing.map(\.pose.roll)), yaw: yaw, widthOverNose: median(facing.map(\.lips.widthOverNose)),
      upperThickness: median(resting.map(\.upperThickness)), lowerThickness: median(resting.map(\.lowerThickness)),
      middleDrop: median(resting.map(\.middleDrop)), noseToLip: median(resting.map(\.noseToLip)))
  }
}
