// What the server tells of its pages.

/// What happens on the pages' side. Told on the server's thread, with no lock held: take it and return.
public enum PageEvent: Sendable, Equatable {
  /// A page is there and has been told `hello`.
  case opened(PageID)
  case closed(PageID)
  /// Control has passed to this page; `nil` when the last one left. Held keys of others end.
  case control(PageID?)
  case message(ClientMessage, from: PageID)
  /// So many pages now want access units; none are needed at 0.
  case viewers(Int)
  case landmarkViewers(Int)
  /// A page waits for a key frame: it has just come, or fell behind. May come often; how often is the encoder's to say.
  case wantsKeyFrame
}
