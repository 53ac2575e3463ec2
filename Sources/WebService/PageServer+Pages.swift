// What happens when pages come, speak and go; all on the server's thread.
import CWebSockets
import Frames

extension PageServer {
  /// The page's first message.
  func greet(_ page: PageID) -> ServerMessage {
    let seat = state.withLock { state in
      state.pages[page] = Page(assembly: MessageAssembly(limits))
      state.seat.enter(page)
      return state.seat
    }
    pageCount.store(seat.pages.count, ordering: .relaxed)
    return .hello(controls: seat.holder == page, pages: seat.pages.count, key: key)
  }

  func opened(_ page: PageID) {
    let seat = state.withLock { $0.seat }
    tellControl(seat, but: page)
    tell([.opened(page)] + (seat.pages == [page] ? [.control(page)] : []))
  }

  func closed(_ page: PageID) {
    let (left, before, after) = state.withLock { state in
      let before = state.seat
      state.seat.leave(page)
      return (state.pages.removeValue(forKey: page), before.holder, state.seat)
    }
    pageCount.store(after.pages.count, ordering: .relaxed)
    tellControl(after, but: page)
    tell([.closed(page)] + (before == after.holder ? [] : [.control(after.holder)]))
    countViewers(wasViewer: left?.wantsVideo == true, wasLandmarkViewer: left?.wantsLandmarks == true)
  }

  /// Returns the status to close with, or 0.
  func received(_ piece: UnsafeRawBufferPointer, from page: PageID, isBinary: Bool, isFinal: Bool) -> UInt16 {
    let now = MonotonicClock.now
    let result = state.withLock { state -> Result<String?, Refusal> in
      Result { () throws(Refusal) in
        try state.pages[page]?.assembly.add(piece, isBinary: isBinary, isFinal: isFinal, at: now)
      }
    }
    switch result {
    case .success(let text?): follow(text, from: page)
    case .success(nil): break
    case .failure(let refusal):
      note(refusal)
      return refusal.closeStatus
    }
    return 0
  }

  private func follow(_ text: String, from page: PageID) {
    let message: ClientMessage
    do {
      message = try ClientMessage(text: text)
    } catch {
      return send(.error(.invalidMessage, message: error.description), to: page)
    }
    if message.needsControl, state.withLock({ $0.seat.holder }) != page {
      return send(.error(.notInControl, message: "another page controls; ask for control first"), to: page)
    }
    switch message {
    case .video(let on): setWantsVideo(on, page)
    case .landmarks(let on): setWantsLandmarks(on, page)
    case .takeControl: takeControl(page)
    default: tell([.message(message, from: page)])
    }
  }

  private func setWantsVideo(_ on: Bool, _ page: PageID) {
    let (changed, full) = state.withLock { state in
      guard let before = state.pages[page]?.wantsVideo, before != on else { return (false, 0) }
      state.pages[page]?.wantsVideo = on
      web_server_set_wants_video(server, page.number, on)
      guard on, let video = state.video else { return (true, 0) }
      // With the lock held, so that no newer format can come before this one.
      let message = ServerMessage.video(video, stream: state.stream)
      return (true, queue(head: message.json, [], isBinary: false, key: message.key, to: page))
    }
    guard changed else { return }
    if full > 0 { note(.tooSlow, times: full) }
    countViewers(wasViewer: true, wasLandmarkViewer: false)
    if on { tell([.wantsKeyFrame]) }
  }

  private func setWantsLandmarks(_ on: Bool, _ page: PageID) {
    state.withLock { $0.pages[page]?.wantsLandmarks = on }
    countViewers(wasViewer: false, wasLandmarkViewer: true)
  }

  private func countViewers(wasViewer: Bool, wasLandmarkViewer: Bool) {
    let (video, landmarks) = state.withLock { state in
      (state.pages.count { $0.value.wantsVideo }, state.pages.count { $0.value.wantsLandmarks })
    }
    viewers.store(video, ordering: .relaxed)
    landmarkViewers.store(landmarks, ordering: .relaxed)
    tell((wasViewer ? [.viewers(video)] : []) + (wasLandmarkViewer ? [.landmarkViewers(landmarks)] : []))
  }

  private func takeControl(_ page: PageID) {
    let seat = state.withLock { state in
      state.seat.ask(page)
      return state.seat
    }
    tellControl(seat, but: nil)
    tell([.control(page)])
  }

  private func tellControl(_ seat: ControlSeat, but excluded: PageID?) {
    for page in seat.pages where page != excluded {
      send(.control(controls: page == seat.holder, pages: seat.pages.count), to: page)
    }
  }
}
