// Sessions: records in order, and leases kept by a thread of their own.
import Capture
import FaceGeometry
import Fixtures
import Frames
import GestureStream
import Gestures
import Synchronization
import Testing

@testable import FacePlayService

@Suite("Gesture session")
struct GestureSessionTests {
  /// Keeps what a session tells, and lets a test wait for it.
  final class Listener: Sendable {
    private let told = Mutex<[StreamRecord]>([])
    private let news = NewestSlot<Int>()

    func tell(_ record: StreamRecord) {
      let count = told.withLock { told in
        told.append(record)
        return told.count
      }
      news.put(count)
    }

    var records: [StreamRecord] { told.withLock { $0 } }
    var events: [TimedEvent] { records.compactMap { if case .event(let event) = $0 { event } else { nil } } }

    /// Waits until an event has been told; `false` when that takes longer than anything here should.
    func wait(for event: InputEvent) -> Bool {
      let patience = MonotonicClock.now + 20_000_000_000
      while !events.contains(where: { $0.event == event }) {
        guard case .value = news.take(until: patience) else { return false }
      }
      return true
    }
  }

  private func observation(_ frame: Int, _ face: SyntheticFace?, at time: Int64) -> FaceObservation {
    FaceObservation(frameIndex: frame, timestamp: time, confidence: 0.9, landmarks: face?.landmarks)
  }

  @Test("When observations stop, a live session lets go by itself, within 200 ms of the last good frame")
  func stalls() throws {
    let listener = Listener()
    let session = GestureSession(profile: Profile(), isLive: true) { listener.tell($0) }
    defer { session.end(.exit, dropped: 0) }
    let start = MonotonicClock.now
    session.process(observation(0, .tilted(25), at: start))
    // The last that is told when a lease ends.
    #expect(listener.wait(for: .face(.lost)))
    for event: InputEvent in [.tilt(.end, .right), .horizontal(0), .face(.lost)] {
      let told = try #require(listener.events.first { $0.event == event })
      #expect(told.timestamp <= 200_000_000)
    }
  }

  @Test("A sink that blocks the tracker's thread does not keep leases from ending later")
  func resumes() {
    let listener = Listener()
    let session = GestureSession(profile: Profile(), isLive: true) { listener.tell($0) }
    session.process(observation(0, .tilted(25), at: MonotonicClock.now))
    #expect(listener.wait(for: .face(.lost)))
    session.process(observation(1, .tilted(25), at: MonotonicClock.now))
    session.end(.exit, dropped: 0)
    let tilts = listener.events.compactMap { if case .tilt(let phase, _) = $0.event { phase } else { nil } }
    #expect(tilts == [.begin, .end, .begin, .end])
  }

  @Test("On a machine that is always late, late frames are all there is: the face is found")
  func alwaysLate() {
    let listener = Listener()
    let session = GestureSession(profile: Profile(), isLive: true) { listener.tell($0) }
    defer { session.end(.exit, dropped: 0) }
    for frame in 0..<20 {
      session.process(observation(frame, SyntheticFace(), at: MonotonicClock.now - 500_000_000))
    }
    #expect(listener.events.contains { $0.event == .face(.found) })
  }

  @Test("Times start at the first observation's, whatever the clock says")
  func rebased() {
    let listener = Listener()
    let session = GestureSession(profile: Profile(), isLive: false) { listener.tell($0) }
    session.process(observation(7, SyntheticFace(), at: 5_000_000_000))
    session.process(observation(8, SyntheticFace(), at: 5_033_000_000))
    let times = listener.records.compactMap { if case .frame(let frame) = $0 { frame.timestamp } else { nil } }
    #expect(times == [0, 33_000_000])
  }

  @Test("A lease that ran out before a frame is told before it")
  func order() throws {
    let listener = Listener()
    let session = GestureSession(profile: Profile(), isLive: false) { listener.tell($0) }
    session.process(observation(0, .tilted(25), at: 0))
    session.process(observation(1, SyntheticFace(), at: 1_000_000_000))
    let release = try #require(
      listener.records.firstIndex { if case .event(let e) = $0 { e.event == .release(.stalled) } else { false } })
    let frame = try #require(listener.records.lastIndex { if case .frame = $0 { true } else { false } })
    #expect(release < frame)
  }

  @Test("The end releases everything, counts, and is told once")
  func end() {
    let listener = Listener()
    let session = GestureSession(profile: Profile(), isLive: false) { listener.tell($0) }
    session.process(observation(0, .tilted(25), at: 0))
    session.end(.exit, dropped: 3)
    session.end(.exit, dropped: 3)
    session.process(observation(1, .tilted(25), at: 33_000_000))
    #expect(listener.events.contains { $0.event == .release(.exit) })
    #expect(listener.records.last == .end(StreamEnd(frames: 1, dropped: 3, events: listener.events.count)))
  }

  @Test(
    "A camera that stops delivering releases everything at once and says why; frames from before change nothing",
    arguments: [
      (CameraCondition.unplugged, ReleaseReason.unplugged), (.busy(holder: nil), .unplugged), (.stalled, .stalled),
      (.failing(errno: 5), .stalled),
    ])
  func camera(condition: CameraCondition, reason: ReleaseReason) {
    let listener = Listener()
    let session = GestureSession(profile: Profile(), isLive: false) { listener.tell($0) }
    session.process(observation(0, .tilted(25), at: 0))
    session.take(condition, at: 50_000_000)
    session.process(observation(1, .tilted(25), at: 33_000_000))
    #expect(
      listener.events.suffix(4).map(\.event) == [.tilt(.end, .right), .horizontal(0), .release(reason), .face(.lost)])
    session.take(.delivering, at: 2_000_000_000)
    session.process(observation(2, .tilted(25), at: 2_033_000_000))
    #expect(listener.events.filter { $0.event == .tilt(.begin, .right) }.count == 2)
    session.end(.exit, dropped: 0)
    #expect(listener.records.last == .end(StreamEnd(frames: 2, dropped: 1, events: listener.events.count)))
  }

  @Test("Frames of before a standstill, older than a lease, neither find nor lose the face")
  func standstill() {
    let listener = Listener()
    let session = GestureSession(profile: Profile(), isLive: true) { listener.tell($0) }
    let now = MonotonicClock.now
    for frame in 0..<3 {
      session.process(observation(frame, .tilted(25), at: now - 10_000_000_000 + Int64(frame) * 33_000_000))
    }
    session.end(.exit, dropped: 0)
    #expect(listener.records == [.end(StreamEnd(frames: 0, dropped: 3, events: 0))])
  }

  @Test("A restart finds the neutral afresh")
  func restart() {
    let listener = Listener()
    let session = GestureSession(profile: Profile(), isLive: false) { listener.tell($0) }
    for frame in 0..<600 { session.process(observation(frame, .tilted(8), at: Int64(frame) * 100_000_000)) }
    session.restart(at: 60_000_000_000)
    session.process(observation(600, .tilted(12), at: 60_000_000_000))
    #expect(listener.events.contains { $0.event == .tilt(.begin, .right) })
  }

  /// Holds a tilt before a 30 fps camera at media times; returns the next frame's number.
  private func holdTilt(in session: GestureSession) -> Int {
    for frame in 0..<60 { session.process(observation(frame, SyntheticFace(), at: Int64(frame) * 33_333_333)) }
    for frame in 60..<70 { session.process(observation(frame, .tilted(25), at: Int64(frame) * 33_333_333)) }
    return 70
  }

  @Test("A pause lets everything go at once, takes no frames, and goes on with those after it")
  func pause() {
    let listener = Listener()
    let session = GestureSession(profile: Profile(), isLive: false) { listener.tell($0) }
    let next = holdTilt(in: session)
    let time = Int64(next) * 33_333_333
    session.pause(at: time)
    #expect(
      listener.events.suffix(4).map(\.event) == [.tilt(.end, .right), .horizontal(0), .release(.paused), .face(.lost)])
    let paused = listener.records.count
    for frame in next..<(next + 10) { session.process(observation(frame, .tilted(25), at: Int64(frame) * 33_333_333)) }
    #expect(listener.records.count == paused)
    session.resume(at: time + 1_000_000_000)
    session.process(observation(next + 11, .tilted(25), at: time + 999_999_999))
    #expect(listener.records.count == paused)
    session.process(observation(next + 40, .tilted(25), at: time + 1_300_000_000))
    #expect(listener.events.suffix(3).map(\.event).prefix(2) == [.face(.found), .tilt(.begin, .right)])
    session.end(.exit, dropped: 0)
    guard case .end(let end) = listener.records.last else {
      Issue.record("no end")
      return
    }
    #expect(end.frames == 71 && end.dropped == 11)
  }

  @Test("A less sensitive profile ends a tilt that it would not begin, with the next frame")
  func take() {
    let listener = Listener()
    let session = GestureSession(profile: Profile(), isLive: false) { listener.tell($0) }
    for frame in 0..<60 { session.process(observation(frame, SyntheticFace(), at: Int64(frame) * 33_333_333)) }
    for frame in 60..<70 { session.process(observation(frame, .tilted(13), at: Int64(frame) * 33_333_333)) }
    #expect(listener.events.contains { $0.event == .tilt(.begin, .right) })
    session.take(Profile(sensitivity: Sensitivity(tilt: 0)))
    #expect(!listener.events.contains { $0.event == .tilt(.end, .right) })
    session.process(observation(70, .tilted(13), at: 70 * 33_333_333))
    #expect(listener.events.suffix(2).map(\.event) == [.tilt(.end, .right), .horizontal(0)])
  }

  @Test("Recentring makes the posture of now the neutral; without a face it does nothing")
  func recentre() {
    let listener = Listener()
    let session = GestureSession(profile: Profile(), isLive: false) { listener.tell($0) }
    #expect(session.recentre() == nil)
    let next = holdTilt(in: session)
    #expect(session.recentre() == Profile())
    session.process(observation(next, .tilted(25), at: Int64(next) * 33_333_333))
    #expect(listener.events.suffix(2).map(\.event) == [.tilt(.end, .right), .horizontal(0)])
  }
}

@Suite("Live status")
struct LiveStatusTests {
  private func frame(_ index: Int) -> StreamRecord {
    .frame(GestureState(frameIndex: index, timestamp: Int64(index) * 50_000_000, signals: nil, horizontal: 0))
  }

  private func event(_ event: InputEvent) -> StreamRecord {
    .event(TimedEvent(frameIndex: 0, timestamp: 0, event: event))
  }

  @Test("The frame rate is that of the last second")
  func rate() {
    var status = LiveStatus()
    #expect(status.frameRate == 0)
    for index in 0..<100 { status.add(frame(index)) }
    #expect(abs(status.frameRate - 20) < 0.01)
  }

  @Test("Gestures are shown from their begin to their end, jumps are counted")
  func gestures() {
    var status = LiveStatus()
    for record in [
      event(.face(.found)), event(.tilt(.begin, .left)), event(.purse(.begin, strength: 1)), event(.jump(count: 1)),
    ] { status.add(record) }
    #expect(status.isFacePresent && status.tilt == .left && status.isPursing && status.jumps == 1)
    for record in [event(.tilt(.end, .left)), event(.purse(.end, strength: nil)), event(.face(.lost))] {
      status.add(record)
    }
    #expect(!status.isFacePresent && status.tilt == nil && !status.isPursing)
  }

  @Test("The latest events are kept, steering is not among them")
  func recent() {
    var status = LiveStatus()
    for index in 0..<20 {
      status.add(event(.jump(count: index)))
      status.add(event(.horizontal(0.5)))
    }
    #expect(status.recent.count == LiveStatus.Constants.recentEvents)
    #expect(status.recent.last?.event == .jump(count: 19))
  }
}
