// System calls' failures as typed errors.
import Glibc

struct SystemError: Error {
  /// The call's `errno`.
  let code: Int32
}

/// A system call's result, or its error where that is −1.
@discardableResult
func checked(_ result: Int32) throws(SystemError) -> Int32 {
  guard result >= 0 else { throw SystemError(code: errno) }
  return result
}

/// Waits until a descriptor that somebody else made non-blocking, as terminals are at times, can go on.
func waitUntilReady(_ descriptor: Int32, for events: Int32) {
  var state = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  poll(&state, 1, -1)
}
