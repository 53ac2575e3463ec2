// What the server allows its clients.

/// Far above what a page needs, far below what would hurt the pipeline.
struct WebLimits: Sendable {
  /// Pages connected at once; the next is answered with 503.
  var pages = 32
  /// Sockets of all kinds; a page that loads opens six.
  var sockets = 128
  /// Bytes in a message from a page: the longest, all settings, has about 500.
  var messageBytes = 4096
  /// A dragged slider sends with each display frame, 60 a second; twice as many at once.
  var messagesPerSecond = 120.0
  var bytesPerSecond = 65_536.0
  /// Seconds for a request to arrive whole and for its answer to leave.
  var requestSeconds = 5
  /// Seconds of silence after which a page is asked for a sign of life: few enough wake-ups to cost nothing.
  var pingSeconds = 20
  /// Seconds after its last sign of life when a page is given up.
  var hangUpSeconds = 30
  /// Milliseconds that pages get to take their leave when the server stops.
  var farewellMilliseconds = 500
}
