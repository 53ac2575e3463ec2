// Guided calibration as a state machine: it asks, watches, asks again, and ends by itself.
import FaceGeometry
import Gestures

/// Steps on observations and on time; reads no clock and knows no screen. `status` is what a view draws.
///
///     preparing ──(face seen for `prepare` s)──► measuring ──(seen what was asked)──► next part … ──► finished
///         ▲  ╰──(no face for `patience` s)──╮        │
///         ╰───────── once more ◄────────────┴────────╯ (not seen; at most `attempts` times)
///
/// A part that was not seen in all its attempts is gone without, or, where nothing works without it, ends the
/// calibration with a refusal. The whole is thus bounded: parts × attempts × (patience + prepare + seconds).
public struct GuidedCalibration: Sendable {
  public enum Phase: Sendable, Equatable {
    /// The countdown to recording stands while no face is seen.
    case waitingForFace
    /// Seconds to go.
    case preparing(Double)
    case measuring(Double)
    case finished
  }

  public enum Outcome: Sendable, Equatable {
    case calibrated(CalibrationAnalysis)
    case refused(CalibrationRefusal)
  }

  /// What a view draws.
  public struct Status: Sendable {
    /// From 0.
    public let step: Int
    public let stepCount: Int
    public let title, prompt: LocalizedText
    public let phase: Phase
    /// Of the whole, 0…1.
    public let progress: Double
    /// The newest face's; `nil` without one.
    public let signals: GestureState.Signals?
    /// Under which `signals` were measured.
    public let profile: Profile
    /// While purses are counted.
    public let purses: (seen: Int, wanted: Int)?
    /// What went wrong in the last attempt.
    public let hint: CalibrationText?
  }

  private enum State {
    /// `face`: since when it is seen.
    case preparing(since: Int64, face: Int64?)
    case measuring(since: Int64)
    case finished(Outcome)
  }

  private let parts: [(step: Int, part: CalibrationScript.Part)]
  private let script: CalibrationScript
  private let base: Profile
  private var state: State?
  private var part = 0
  private var attempt = 1
  private var hint: CalibrationText?
  private var takes: [CalibrationTake?]
  private var recording: [FaceObservation] = []
  private var watch: PartWatch
  private var restLevels = RestLevels()
  private var recognizer: GestureRecognizer
  private var signals: GestureState.Signals?
  private var now: Int64 = 0

  /// `base`: the profile to begin from; see `CalibrationAnalysis`.
  public init(script: CalibrationScript, base: Profile) {
    self.script = script
    self.base = base
    parts = script.steps.enumerated().flatMap { step, content in content.parts.map { (step, $0) } }
    takes = Array(repeating: nil, count: parts.count)
    watch = PartWatch(parts[0].part)
    recognizer = GestureRecognizer(profile: base)
  }

  /// `nil` until it has ended.
  public var outcome: Outcome? { if case .finished(let outcome) = state { outcome } else { nil } }

  /// Takes one frame; observations must come in order of time.
  public mutating func process(_ observation: FaceObservation) {
    guard outcome == nil else { return }
    if case .measuring = state { recording.append(observation) }
    if case .measuring = state {
      signals = watch.add(observation, &recognizer)
    } else {
      signals = recognizer.process(observation).0.signals
    }
    advance(to: observation.timestamp, isFrame: true)
  }

  /// Goes on without a frame: call it a few times a second while none comes. Nanoseconds on the observations' clock.
  public mutating func advance(to time: Int64) {
    advance(to: time, isFrame: false)
  }

  /// Begins the current step again.
  public mutating func repeatStep() {
    guard outcome == nil else { return }
    let step = parts[part].step
    begin(parts.firstIndex { $0.step == step }!)
  }

  /// Goes on without the current step.
  public mutating func skipStep() {
    guard outcome == nil else { return }
    let step = parts[part].step
    for index in parts.indices where parts[index].step == step { takes[index] = nil }
    begin(parts.firstIndex { $0.step > step } ?? parts.count)
  }

  /// No more frames will come.
  public mutating func end() {
    if outcome == nil { state = .finished(.refused(.ended)) }
  }

  private mutating func advance(to time: Int64, isFrame: Bool) {
    now = max(now, time)
    switch state ?? .preparing(since: now, face: nil) {
    case .preparing(let since, let face):
      prepare(since: since, face: isFrame ? (signals == nil ? nil : face ?? now) : face)
    case .measuring(let since):
      measure(since: since)
    case .finished: break
    }
  }

  private mutating func prepare(since: Int64, face: Int64?) {
    let current = parts[part].part
    if let face, seconds(since: face) >= current.prepare {
      recording = []
      watch = PartWatch(current)
      state = .measuring(since: now)
    } else if seconds(since: since) >= script.patience + current.prepare {
      tryAgain(because: .lostFace)
    } else {
      state = .preparing(since: since, face: face)
    }
  }

  private mutating func measure(since: Int64) {
    let current = parts[part].part
    let elapsed = seconds(since: since)
    guard elapsed >= current.seconds || watch.hasAll(restLevels) else { return }
    // Rest is what it is: a head that never keeps still is measured as such.
    let complaint = watch.complaint(restLevels, after: elapsed)
    if let complaint, !(complaint == .moved && attempt == script.attempts) {
      tryAgain(because: complaint)
    } else {
      takes[part] = CalibrationTake(current.activity, recording)
      if current.activity == .rest { learnRest() }
      begin(part + 1)
    }
  }

  private mutating func tryAgain(because complaint: CalibrationText) {
    hint = complaint
    guard attempt == script.attempts else {
      attempt += 1
      state = .preparing(since: now, face: signals == nil ? nil : now)
      return
    }
    let activity = parts[part].part.activity
    if activity.isRequired {
      state = .finished(.refused(CalibrationRefusal(activity, complaint)))
    } else {
      takes[part] = nil
      begin(part + 1)
    }
  }

  private mutating func begin(_ index: Int) {
    attempt = 1
    hint = nil
    guard parts.indices.contains(index) else {
      do throws(CalibrationRefusal) {
        state = .finished(.calibrated(try CalibrationAnalysis(takes.compactMap(\.self), base: base)))
      } catch {
        state = .finished(.refused(error))
      }
      return
    }
    part = index
    state = .preparing(since: now, face: signals == nil ? nil : now)
  }

  /// From here on, signals are against the player's own rest.
  private mutating func learnRest() {
    var profile = base
    profile.neutral = Neutral(resting: recording.compactMap { $0.landmarks.flatMap(FaceSignals.init) })
    recognizer = GestureRecognizer(profile: profile)
    var rest = MeasuredTake(activity: .rest)
    for observation in recording { rest.add(observation, &recognizer) }
    restLevels = RestLevels(rest)
  }

  private func seconds(since time: Int64) -> Double { Double(now - time) / 1e9 }
}

extension GuidedCalibration {
  public var status: Status {
    let current = parts[part]
    let step = script.steps[current.step]
    let isMeasuring = if case .measuring = state { true } else { false }
    return Status(
      step: current.step, stepCount: script.steps.count, title: step.title, prompt: current.part.prompt, phase: phase,
      progress: progress, signals: signals, profile: recognizer.profile,
      purses: isMeasuring ? current.part.times.map { (watch.purseCount(restLevels), $0) } : nil, hint: hint)
  }

  private var phase: Phase {
    let current = parts[part].part
    switch state {
    case nil, .preparing(_, nil): return .waitingForFace
    case .preparing(_, let face?): return .preparing(max(current.prepare - seconds(since: face), 0))
    case .measuring(let since): return .measuring(max(current.seconds - seconds(since: since), 0))
    case .finished: return .finished
    }
  }

  private var progress: Double {
    let current = parts[part].part
    let within =
      switch phase {
      case .waitingForFace, .preparing: 0.0
      case .measuring(let left): 1 - left / current.seconds
      case .finished: 1.0
      }
    return (Double(part) + within) / Double(parts.count)
  }
}

extension CalibrationRefusal {
  /// A required part that was not seen, and what was said of its last attempt.
  fileprivate init(_ activity: Activity, _ complaint: CalibrationText) {
    switch (complaint, activity.side) {
    case (.lostFace, _): self = .noFace
    case (_, let side?): self = .noTilt(side)
    case (_, nil): self = .noPurse
    }
  }
}
