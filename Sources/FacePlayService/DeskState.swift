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
  struct State: Sendable {
    /// What it acts on.
    struct Tools: Sendable {
      let server: PageServer
      let session: GestureSession
      let feed: @Sendable () -> any ObservationFeed
      let recordings: Recordings
      let profiles: ProfileWriter
    }

    /// The level's name that asks for a run to try settings on.
    static let trialLevel = "trial"
    /// Nanoseconds between calibration states.
    static let calibrationInterval: Int64 = 100_000_000
    /// Nanoseconds without an observation after which pages are told: leases have ended long before.
    static let silence: Int64 = 500_000_000

    private var profile: Profile
    let store: ProfileStore
    private let levels: [Level]
    private let script: CalibrationScript
    private let file: PlayerFile
    private var player: PlayerFile.Player
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

    init(
      profile: Profile, store: ProfileStore, levels: [Level], script: CalibrationScript,
      log: @Sendable (String) -> Void
    ) {
      self.profile = profile
      self.store = store
      self.levels = levels
      self.script = script
      file = PlayerFile(profile: profile.own.name, profiles: store.folder)
      let known = file.load()
      if known == nil { log("\(file.path) was no player's file; it is kept beside under another name") }
      player = known ?? PlayerFile.Player()
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

    // MARK: Pages

    func begin(_ tools: Tools) { tools.server.broadcast(.settings(settings)) }

    /// Tells a page that has come all there is to know.
    func greet(_ id: PageID, _ tools: Tools) {
      tools.server.send(levelsMessage, to: id)
      tools.server.send(status(tools), to: id)
      tools.server.send(.settings(settings), to: id)
      guard let page else { return }
      tools.server.broadcast(text: ServerMessage.level(page.run.game.level.json), key: .level)
    }

    /// No page is left that could go on: the game waits, and a trial, which nothing is lost with, is over. Nobody is
    /// filmed without a page that shows it.
    mutating func nobodyControls(_ tools: Tools, at now: Int64) {
      try? tellRecording(tools)
      page?.steer(0, at: now)
      page?.pause()
      if page?.isTrial == true { page = nil }
    }

    mutating func follow(_ message: ClientMessage, from id: PageID, _ tools: Tools, at now: Int64) {
      switch message {
      case .getSettings: tools.server.send(.settings(settings), to: id)
      case .setSettings(let change): set(change, tools, from: id)
      case .calibration(.start(let language)): calibrate(Language(locale: language))
      case .calibration(.cancel):
        calibration = nil
        tools.server.broadcast(.calibration(CalibrationState(.idle)))
      case .game(let action): follow(action, tools, from: id, at: now)
      case .steer(let value): page?.steer(value, at: now)
      case .jump: page?.jump()
      case .record(let on): record(on, tools, id)
      case .snap: tools.recordings.takePhoto()
      // The server's own.
      case .video, .landmarks, .takeControl: break
      }
    }

    private mutating func follow(
      _ action: ClientMessage.GameAction, _ tools: Tools, from id: PageID, at now: Int64
    ) {
      switch action {
      case .start(let name): start(name, tools, from: id, at: now)
      case .pause: page?.pause()
      case .resume: page?.resume(at: now)
      case .respawn: page?.respawn()
      case .quit where page?.isTrial == true: page = nil
      case .quit: page?.quit(at: now)
      }
      tellWorld(tools, at: now)
    }

    // MARK: Game

    private mutating func start(_ name: String, _ tools: Tools, from id: PageID, at now: Int64) {
      let isTrial = name == Self.trialLevel
      guard let level = isTrial ? levels.first : levels.first(where: { $0.name == name }) else {
        return tools.server.send(.error(.refused, message: "there is no level “\(name)”"), to: id)
      }
      isBest = false
      page = PageRun(level: level, isTrial: isTrial, isFaceSeen: isFaceSeen, at: now)
      tools.server.broadcast(text: ServerMessage.level(level.json), key: .level)
    }

    mutating func take(_ event: InputEvent, at now: Int64) {
      if case .face(let presence) = event { isFaceSeen = presence == .found }
      page?.take(event, at: now)
    }

    /// `lastFrame` is when the newest observation came, 0 before the first.
    mutating func judge(lastFrame: Int64, at now: Int64) {
      self.lastFrame = lastFrame
      isSilent = lastFrame > 0 && now >= lastFrame + Self.silence
    }

    mutating func advance(_ tools: Tools, to now: Int64) {
      let isOver = page?.advance(to: now) == true
      if isOver { finish(tools) }
      if now >= nextWorld || isOver { tellWorld(tools, at: now) }
      if isCalibrating, now >= nextCalibration { tellCalibration(tools, at: now) }
      guard now >= nextStatus || trouble != toldTrouble else { return }
      toldTrouble = trouble
      nextStatus = now + PlayService.Constants.statusInterval
      checkRecording(tools)
      tools.server.broadcast(status(tools))
    }

    private mutating func finish(_ tools: Tools) {
      guard let run = page?.run else { return }
      isBest = player.bestTimes.add(run.game)
      guard isBest else { return }
      keepPlayer(tools)
      tools.server.broadcast(levelsMessage)
    }

    private mutating func tellWorld(_ tools: Tools, at now: Int64) {
      nextWorld = now + PlayService.Constants.worldInterval
      guard let page else { return }
      tools.server.broadcast(
        text: ServerMessage.world(WorldSnapshot(page, isBest: isBest, at: now).json), key: .world)
    }

    private var levelsMessage: ServerMessage {
      .levels(
        levels.map { level in
          LevelSummary(
            name: level.name, title: level.title, timeLimit: level.timeLimit,
            best: player.bestTimes[level].map(WorldSnapshot.seconds))
        })
    }

    // MARK: Settings

    private var settings: PageSettings {
      let (tilt, purse) = (profile.effectiveTilt, profile.effectivePurse)
      func side(_ side: TiltSettings.Side) -> PageSettings.Thresholds.Side {
        PageSettings.Thresholds.Side(begin: side.begin, end: side.end, full: side.full)
      }
      var settings = PageSettings(
        profile: profile.name,
        thresholds: PageSettings.Thresholds(
          left: side(tilt.left), right: side(tilt.right), purseBegin: purse.begin, purseEnd: purse.end))
      settings.nickname = player.nickname
      settings.character = player.character
      settings.sensitivity = PageSettings.Sensitivity(
        tilt: profile.sensitivity.tilt, purse: profile.sensitivity.purse)
      settings.curve = profile.tilt.curve
      settings.isInverted = profile.tilt.isInverted
      settings.allowsDouble = profile.jump.allowsDouble
      settings.pictureSize = player.pictureSize
      settings.volume = player.volume
      settings.guideSeen = player.guideSeen
      return settings
    }

    private mutating func set(_ change: PageSettings, _ tools: Tools, from id: PageID) {
      let (oldProfile, oldPlayer) = (profile, player)
      profile.sensitivity.tilt = change.sensitivity?.tilt ?? profile.sensitivity.tilt
      profile.sensitivity.purse = change.sensitivity?.purse ?? profile.sensitivity.purse
      profile.tilt.curve = change.curve ?? profile.tilt.curve
      profile.tilt.isInverted = change.isInverted ?? profile.tilt.isInverted
      profile.jump.allowsDouble = change.allowsDouble ?? profile.jump.allowsDouble
      player.nickname = change.nickname ?? player.nickname
      player.character = change.character ?? player.character
      player.pictureSize = change.pictureSize ?? player.pictureSize
      player.volume = change.volume ?? player.volume
      player.guideSeen = change.guideSeen ?? player.guideSeen
      do {
        try profile.validate()
      } catch {
        profile = oldProfile
        return tools.server.send(.error(.refused, message: "\(error)"), to: id)
      }
      if profile != oldProfile { take(profile, tools) }
      if player != oldPlayer { keepPlayer(tools) }
      tools.server.broadcast(.settings(settings))
    }

    /// Plays and is kept from now on.
    private mutating func take(_ new: Profile, _ tools: Tools) {
      profile = new.own
      tools.session.take(profile)
      tools.profiles.save(profile)
    }

    private func keepPlayer(_ tools: Tools) {
      do {
        try file.save(player)
      } catch {
        tools.server.broadcast(.error(.failed, message: "\(error)"))
      }
    }

    // MARK: Calibration

    private mutating func calibrate(_ language: Language) {
      self.language = language
      calibration = GuidedCalibration(script: script, base: profile.own)
      nextCalibration = 0
    }

    mutating func take(_ observation: FaceObservation) { calibration?.process(observation) }

    private mutating func tellCalibration(_ tools: Tools, at now: Int64) {
      nextCalibration = now + Self.calibrationInterval
      guard var calibration else { return }
      if !isFaceSeen { calibration.advance(to: now) }
      self.calibration = calibration
      var state = CalibrationState(calibration.status, script, language)
      switch calibration.outcome {
      case .calibrated(let analysis):
        state.lines = script.words(analysis, language)
        take(analysis.profile, tools)
        tools.server.broadcast(.settings(settings))
      case .refused(let refusal):
        state = CalibrationState(.refused)
        state.lines = [script.words(refusal, language), script.text(.notSaved, language)]
      case nil:
        return tools.server.broadcast(.calibration(state))
      }
      self.calibration = nil
      tools.server.broadcast(.calibration(state))
    }

    // MARK: Recordings and status

    private func record(_ on: Bool, _ tools: Tools, _ id: PageID) {
      do {
        if on { try tools.recordings.begin(profile) } else { try tellRecording(tools) }
      } catch {
        tools.server.send(.error(.failed, message: "\(error)"), to: id)
      }
      tools.server.broadcast(status(tools))
    }

    /// A recording that has failed, on a full disk say, ends and says so.
    private func checkRecording(_ tools: Tools) {
      do {
        try tools.recordings.check()
      } catch {
        _ = try? tools.recordings.finish()
        tools.server.broadcast(.error(.failed, message: "\(error)"))
      }
    }

    private func tellRecording(_ tools: Tools) throws {
      if let file = try tools.recordings.finish() { tools.server.broadcast(.saved(name: file)) }
    }

    /// What is being recorded is finished, and what was changed is on disk.
    func end(_ tools: Tools) {
      try? tellRecording(tools)
      tools.profiles.end()
    }

    private func status(_ tools: Tools) -> ServerMessage {
      let feed = tools.feed()
      let latency = feed.metrics.tracking.latency
      return .status(
        ServiceStatus(
          source: feed.source.name, rate: feed.source.fps, latency: Double(latency.p95 ?? 0) / 1e6,
          isRecording: tools.recordings.isRecording, trouble: trouble))
    }
  }
}

extension CalibrationState {
  fileprivate init(_ status: GuidedCalibration.Status, _ script: CalibrationScript, _ language: Language) {
    switch status.phase {
    case .waitingForFace, .preparing: self.init(.preparing)
    case .measuring: self.init(.recording)
    case .finished: self.init(.done)
    }
    countdown = script.words(status, language)
    activity = status.activity.rawValue
    title = status.title[language]
    prompt = status.prompt[language]
    hint = status.hint.map { script.text($0, language) }
    progress = status.progress
    if let purses = script.purses(status, language) { countdown = (countdown.map { $0 + " · " } ?? "") + purses }
  }
}
