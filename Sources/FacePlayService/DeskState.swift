// The desk's state: settings, calibration and game, and what each message does to them.
import Calibration
import Capture
import CosmicAdventure
import FaceGeometry
import Frames
import GestureStream
import Gestures
import WebService

extension Desk {
  /// Stepped by the desk's thread; time is CLOCK_MONOTONIC in nanoseconds.
  struct State {
    /// The level's name that asks for a run to try settings on.
    static let trialLevel = "trial"
    /// Nanoseconds between calibration states.
    static let calibrationInterval: Int64 = 100_000_000
    /// Nanoseconds without an observation after which pages are told: leases have ended long before.
    static let silence: Int64 = 500_000_000

    // What it acts on.
    private let plan: Plan
    private let server: PageServer
    private let session: GestureSession
    private let feed: any ObservationFeed
    private let recordings: Recordings
    private let runs: RunFiles?
    private let profiles: ProfileWriter
    private let log: @Sendable (String) -> Void

    private var settings: PlayerSettings
    private var isFaceSeen = false
    private var page: PageRun?
    private var isBest = false
    private var calibration: GuidedCalibration?
    private var language = Language.en
    private var nextWorld: Int64 = 0
    private var nextStatus: Int64 = 0
    private var nextCalibration: Int64 = 0
    private var isSilent = false
    private var toldTrouble: String?
    var condition = CameraCondition.delivering
    /// When the newest observation came; 0 before the first, which a camera may take its time for.
    private var lastFrame: Int64 = 0
    private var hasPages = false
    /// For the next page, as there was none when it happened.
    private var untold: [ServerMessage] = []

    init(
      _ plan: Plan, server: PageServer, session: GestureSession, feed: any ObservationFeed,
      recordings: Recordings, runs: RunFiles?, profiles: ProfileWriter, log: @escaping @Sendable (String) -> Void
    ) {
      self.plan = plan
      self.server = server
      self.session = session
      self.feed = feed
      self.recordings = recordings
      self.runs = runs
      self.profiles = profiles
      self.log = log
      settings = PlayerSettings(profile: plan.profile, player: plan.file.load(log))
      server.broadcast(.settings(settings.told))
    }

    var isCalibrating: Bool { calibration != nil }

    /// What keeps the service from working, for people.
    var trouble: String? {
      if condition != .delivering { return "\(condition)" }
      return isSilent ? "no picture for half a second: gestures wait; is this computer busy with something else?" : nil
    }

    /// When the desk must look again although nothing has come.
    var due: Int64 {
      let game = page?.due.map { min($0, nextWorld) } ?? .max
      let silence = isSilent || lastFrame == 0 ? .max : lastFrame + Self.silence
      return min(game, silence, nextStatus, isCalibrating ? nextCalibration : .max)
    }

    /// `lastFrame` is when the newest observation came, 0 before the first.
    mutating func judge(lastFrame: Int64, at now: Int64) {
      self.lastFrame = lastFrame
      isSilent = lastFrame > 0 && now >= lastFrame + Self.silence
    }

    mutating func advance(to now: Int64) {
      let isOver = page?.advance(to: now) == true
      if isOver { finishGame() }
      if now >= nextWorld || isOver { tellWorld(at: now) }
      if isCalibrating, now >= nextCalibration { tellCalibration(at: now) }
      guard now >= nextStatus || trouble != toldTrouble else { return }
      toldTrouble = trouble
      nextStatus = now + PlayService.Constants.statusInterval
      checkRecording()
      server.broadcast(status)
    }

    /// What is being recorded is finished, and what was changed is on disk.
    mutating func end(at now: Int64) {
      giveUp(at: now)
      finishRecording()
      profiles.end()
      plan.file.end()
    }

    // MARK: Pages

    /// Tells a page that has come all there is to know.
    mutating func greet(_ id: PageID, at now: Int64) {
      hasPages = true
      for message in [levels, status, .settings(settings.told)] + untold { server.send(message, to: id) }
      untold = []
      guard let page else { return }
      server.send(text: ServerMessage.level(page.run.game.level.json), key: .level, to: id)
      server.send(text: world(page, at: now), key: .world, to: id)
    }

    /// No page is left that could go on: the game waits, and a trial, which nothing is lost with, is over. Nobody is
    /// filmed without a page that shows it, nor calibrated without one that says what to do.
    mutating func nobodyControls(at now: Int64) {
      hasPages = false
      finishRecording()
      calibration = nil
      page?.steer(0, at: now)
      page?.pause()
      if page?.isTrial == true { page = nil }
      tellWorld(at: now)
    }

    /// To all pages; the next one to come is told what nobody is there for.
    mutating func tell(_ message: ServerMessage) {
      if hasPages { server.broadcast(message) } else { untold.append(message) }
    }

    /// The log has it, too, where there is nobody to read it now.
    mutating func tell(failure: String) {
      if !hasPages { log(failure) }
      tell(.error(.failed, message: failure))
    }

    mutating func follow(_ message: ClientMessage, from id: PageID, at now: Int64) {
      switch message {
      case .getSettings: server.send(.settings(settings.told), to: id)
      case .setSettings(let change): set(change, from: id)
      case .calibration(.start(let language)): calibrate(Language(locale: language))
      case .calibration(.cancel):
        calibration = nil
        server.broadcast(.calibration(CalibrationState(.idle)))
      case .game(let action): follow(action, from: id, at: now)
      case .steer(let value): page?.steer(value, at: now)
      case .jump: page?.jump()
      case .record(let on): record(on)
      case .snap: recordings.takePhoto()
      // The server's own.
      case .video, .landmarks, .takeControl: break
      }
    }

    // MARK: Game

    private mutating func follow(_ action: ClientMessage.GameAction, from id: PageID, at now: Int64) {
      switch action {
      case .start(let name): start(name, from: id, at: now)
      case .pause: page?.pause()
      case .resume: page?.resume(at: now)
      case .respawn: page?.respawn()
      case .quit where page?.isTrial == true: page = nil
      case .quit: giveUp(at: now)
      }
      tellWorld(at: now)
    }

    private mutating func start(_ name: String, from id: PageID, at now: Int64) {
      let isTrial = name == Self.trialLevel
      guard let level = isTrial ? plan.levels.first : plan.levels.first(where: { $0.name == name }) else {
        return server.send(.error(.refused, message: "there is no level “\(name)”"), to: id)
      }
      giveUp(at: now)
      isBest = false
      page = PageRun(level: level, isTrial: isTrial, isFaceSeen: isFaceSeen, at: now)
      server.broadcast(text: ServerMessage.level(level.json), key: .level)
    }

    mutating func take(_ event: InputEvent, at now: Int64) {
      if case .face(let presence) = event { isFaceSeen = presence == .found }
      page?.take(event, at: now)
    }

    /// Ends the run that is under way, if there is one.
    private mutating func giveUp(at now: Int64) {
      guard let page, !page.isTrial, page.run.game.outcome == nil else { return }
      let hasBegun = page.run.game.tick > 0
      self.page?.quit(at: now)
      guard let run = self.page?.run else { return }
      if hasBegun { runs?.add(run) } else { runs?.leave() }
    }

    private mutating func finishGame() {
      guard let run = page?.run else { return }
      runs?.add(run)
      guard !plan.isDemo else { return }
      isBest = settings.player.bestTimes.add(run.game)
      guard isBest else { return }
      keepPlayer()
      server.broadcast(levels)
    }

    private mutating func tellWorld(at now: Int64) {
      nextWorld = now + PlayService.Constants.worldInterval
      guard let page else { return }
      server.broadcast(text: world(page, at: now), key: .world)
      if !page.isTrial { runs?.tell(page.phase, tick: page.run.game.tick, at: now) }
    }

    private func world(_ page: PageRun, at now: Int64) -> [UInt8] {
      ServerMessage.world(WorldSnapshot(page, isBest: isBest, at: now).json)
    }

    private var levels: ServerMessage {
      .levels(
        plan.levels.map { level in
          LevelSummary(
            name: level.name, title: level.title, about: level.about, timeLimit: level.timeLimit,
            best: settings.player.bestTimes[level].map(WorldSnapshot.seconds))
        })
    }

    // MARK: Settings

    private mutating func set(_ change: PageSettings, from id: PageID) {
      let old = settings
      do {
        settings = try settings.changed(by: change)
      } catch {
        return server.send(.error(.refused, message: "\(error)"), to: id)
      }
      if settings.profile != old.profile { take(settings.profile) }
      if settings.player != old.player { keepPlayer() }
      server.broadcast(.settings(settings.told))
    }

    /// Plays and is kept from now on.
    private mutating func take(_ profile: Profile) {
      settings.profile = profile.own
      session.take(settings.profile)
      runs?.take(feed.header(profile: settings.profile))
      profiles.save(settings.profile)
    }

    private mutating func keepPlayer() {
      do {
        try plan.file.save(settings.player)
      } catch {
        tell(failure: "\(error)")
      }
    }

    // MARK: Calibration

    private mutating func calibrate(_ language: Language) {
      self.language = language
      calibration = GuidedCalibration(script: plan.script, base: settings.profile.own)
      nextCalibration = 0
    }

    mutating func take(_ observation: FaceObservation) { calibration?.process(observation) }

    private mutating func tellCalibration(at now: Int64) {
      nextCalibration = now + Self.calibrationInterval
      if !isFaceSeen { calibration?.advance(to: now) }
      guard let calibration else { return }
      var state = CalibrationState(calibration.status, plan.script, language)
      switch calibration.outcome {
      case .calibrated(let analysis):
        state.lines = plan.script.words(analysis, language)
        take(analysis.profile)
        server.broadcast(.settings(settings.told))
      case .refused(let refusal):
        state = CalibrationState(.refused)
        state.lines = [plan.script.words(refusal, language), plan.script.text(.notSaved, language)]
      case nil:
        return server.broadcast(.calibration(state))
      }
      self.calibration = nil
      server.broadcast(.calibration(state))
    }

    // MARK: Recordings and status

    private mutating func record(_ on: Bool) {
      if on {
        do {
          try recordings.begin(settings.profile)
        } catch {
          tell(failure: "\(error)")
        }
      } else {
        finishRecording()
      }
      server.broadcast(status)
    }

    /// A recording that has failed, on a full disk say, ends and says so.
    private mutating func checkRecording() {
      do {
        try recordings.check()
      } catch {
        _ = try? recordings.finish()
        tell(failure: "\(error)")
      }
    }

    private mutating func finishRecording() {
      do {
        if let file = try recordings.finish() { tell(.saved(name: file)) }
      } catch {
        tell(failure: "\(error)")
      }
    }

    private var status: ServerMessage {
      .status(
        ServiceStatus(
          source: feed.source.name, rate: feed.source.fps,
          latency: Double(feed.metrics.tracking.latency.p95 ?? 0) / 1e6,
          isDemo: plan.isDemo, isRecording: recordings.isRecording, trouble: trouble))
    }
  }
}
