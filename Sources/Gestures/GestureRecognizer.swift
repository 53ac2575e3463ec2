// The whole way from landmarks to input events as one value: filters, neutral, recognisers, leases, jumps.
import FaceGeometry

/// Steps on observations and on time; reads no clock and holds no thread.
///
/// Held input is a lease: `deadline` says when what is held must be let go unless a good frame comes first, and
/// `advance(to:)` lets it go. Whoever owns the recogniser must call `advance(to:)` by then, frames or no frames.
public struct GestureRecognizer: Sendable {
  public struct Constants {
    /// Nanoseconds from a good frame to the end of what it held: under the 200 ms promised, with room for the wake-up.
    public static let lease: Int64 = 180_000_000
    /// Nanoseconds from jump 1 to the landing that is assumed while no engine reports one.
    public static let assumedAirTime: Int64 = 800_000_000
    /// The smallest change of steering that is told.
    public static let horizontalStep = 0.01
    /// Roll filter: 1 Hz at rest leaves a still face within 0.1° RMS; 0.3 Hz per °/s crosses a step within a frame.
    static let rollMinimumCutoff = 1.0
    static let rollSpeedCoefficient = 0.3
    /// Nanoseconds after which a gesture that never ends is taken for posture and the neutral follows it again.
    static let longestGesture: Int64 = 5_000_000_000
  }

  public private(set) var profile: Profile

  private var neutral: NeutralEstimator
  private var rollFilter = OneEuroFilter(
    minimumCutoff: Constants.rollMinimumCutoff, speedCoefficient: Constants.rollSpeedCoefficient)
  private var speech = SpeechMemory()
  private var tilt: TiltRecognizer
  private var purse: PurseRecognizer
  private var jump: JumpStateMachine
  private var landing: Int64?
  /// As the events told so far say.
  private var held = HeldInput()
  private var gestureSince: Int64?
  /// The newest face's, degrees, unfiltered.
  private var lastPose: HeadPose?
  /// When the last good frame's hold ends; `nil` while there is no face.
  private var leaseEnd: Int64?
  private var sawFacelessFrame = false
  private var lastFrame = 0
  private var lastTime = Int64.min

  public init(profile: Profile) {
    self.profile = profile
    neutral = NeutralEstimator(calibrated: profile.neutral)
    tilt = TiltRecognizer(settings: profile.effectiveTilt)
    purse = PurseRecognizer(settings: profile.effectivePurse)
    jump = JumpStateMachine(settings: profile.jump)
  }

  /// Goes on with other settings; the neutral stays as it has been found. What is held is judged by them from the next
  /// frame on, and its lease stands.
  public mutating func take(_ profile: Profile) {
    self.profile = profile
    tilt.settings = profile.effectiveTilt
    purse.settings = profile.effectivePurse
    jump.settings = profile.jump
  }

  /// Takes the posture last seen for the neutral, in a calibrated profile too; a tilt that is held ends with the next
  /// frame. Returns whether there is a face to take it from.
  public mutating func recentre() -> Bool {
    guard leaseEnd != nil, let lastPose else { return false }
    neutral.recentre(roll: lastPose.roll, yaw: lastPose.yaw)
    profile.neutral?.roll = lastPose.roll
    profile.neutral?.yaw = lastPose.yaw
    return true
  }

  /// The time, on the observations' clock, at which `advance(to:)` must be called next; `nil` when nothing is pending.
  public var deadline: Int64? {
    guard jump.hasBufferedPurse, let landing else { return leaseEnd }
    return leaseEnd.map { min($0, landing) } ?? landing
  }

  /// Takes one frame's observation. Observations whose time does not advance are taken at the last time seen.
  public mutating func process(_ observation: FaceObservation) -> (GestureState, [TimedEvent]) {
    let time = max(observation.timestamp, lastTime)
    var events = advance(to: time)
    lastFrame = observation.frameIndex
    lastTime = time
    guard let signals = observation.landmarks.flatMap(FaceSignals.init) else {
      sawFacelessFrame = true
      return (state(at: time, signals: nil), events)
    }
    if leaseEnd == nil { events.append(timed(.face(.found))) }
    leaseEnd = observation.timestamp + Constants.lease
    sawFacelessFrame = false
    let (measured, score) = measure(signals, confidence: Double(observation.confidence), at: time)
    events += recognise(measured, score, yaw: signals.pose.yaw - neutral.neutral.yaw)
    return (state(at: time, signals: measured), events)
  }

  /// Lets go what has not been renewed by `time`, and lands a player who is due, each at its own time.
  public mutating func advance(to time: Int64) -> [TimedEvent] {
    var events: [TimedEvent] = []
    while let due = [leaseEnd, landing].compactMap(\.self).min(), due <= time {
      if due == leaseEnd {
        events += loseFace(sawFacelessFrame ? .faceLost : .stalled, at: due)
      } else {
        landing = nil
        lastTime = max(lastTime, due)
        events += act(on: jump.landed(at: due))
      }
    }
    return events
  }

  /// Lets everything go at once: on pause, unplug and exit.
  public mutating func releaseAll(_ reason: ReleaseReason, at time: Int64) -> [TimedEvent] {
    guard leaseEnd != nil else { return [] }
    return loseFace(reason, at: time)
  }

  private mutating func measure(
    _ signals: FaceSignals, confidence: Double, at time: Int64
  ) -> (GestureState.Signals, PurseScore) {
    lastPose = signals.pose
    let isGesturing = tilt.active != nil || purse.isActive
    gestureSince = isGesturing ? gestureSince ?? time : nil
    if gestureSince.map({ time - $0 > Constants.longestGesture }) ?? true { neutral.observe(signals, at: time) }
    speech.observe(innerGap: signals.lips.innerGap, isPursing: purse.isActive, at: time)
    let score = PurseScore(
      signals.lips, neutral: neutral.neutral, knowledge: neutral.lipKnowledge, speech: speech,
      isPursing: purse.isActive)
    let measured = GestureState.Signals(
      confidence: confidence,
      roll: rollFilter.filter(signals.pose.roll, at: time) - neutral.neutral.roll,
      yaw: signals.pose.yaw, pitch: signals.pose.pitch,
      purse: score.gated, jawOpen: signals.jawOpen, rawRoll: signals.pose.roll, rawPurse: score.shape)
    return (measured, score)
  }

  private mutating func recognise(
    _ signals: GestureState.Signals, _ score: PurseScore, yaw: Double
  ) -> [TimedEvent] {
    var events = tilt.update(roll: signals.roll, yaw: yaw).map { timed(.tilt($0, $1)) }
    events += steer(tilt.steering(roll: signals.roll))
    switch purse.update(score: score, recentGap: speech.recentGap, at: lastTime) {
    case .began(let strength):
      events.append(timed(.purse(.begin, strength: strength)))
      events += act(on: jump.pursed(at: lastTime))
    case .ended:
      events.append(timed(.purse(.end, strength: nil)))
    case nil:
      break
    }
    return events
  }

  private mutating func steer(_ value: Double) -> [TimedEvent] {
    let reachesEnd = [-1, 0, 1].contains(value) && value != held.horizontal
    guard reachesEnd || abs(value - held.horizontal) >= Constants.horizontalStep else { return [] }
    return [timed(.horizontal(value))]
  }

  private mutating func act(on count: Int?) -> [TimedEvent] {
    guard let count else { return [] }
    if count == 1 { landing = lastTime + Constants.assumedAirTime }
    return [timed(.jump(count: count))]
  }

  private mutating func loseFace(_ reason: ReleaseReason, at time: Int64) -> [TimedEvent] {
    lastTime = max(lastTime, time)
    _ = tilt.release()
    _ = purse.release()
    leaseEnd = nil
    jump.forgetBufferedPurse()
    rollFilter.reset()
    speech = SpeechMemory()
    return held.letGo(reason).map { timed($0) }
  }

  private mutating func timed(_ event: InputEvent) -> TimedEvent {
    held.add(event)
    return TimedEvent(frameIndex: lastFrame, timestamp: lastTime, event: event)
  }

  private func state(at time: Int64, signals: GestureState.Signals?) -> GestureState {
    GestureState(frameIndex: lastFrame, timestamp: time, signals: signals, horizontal: held.horizontal)
  }
}
