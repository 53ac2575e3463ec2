// A named thread with a body, to be joined.
import Glibc

/// One stage's thread. Joined once, or left running to the end of the process.
package struct WorkerThread: Sendable {
  private let thread: pthread_t

  /// Starts at once; `name` is what `top -H` shows, at most 15 bytes; `niceness` as of
  /// `nice`, which Linux has for each thread.
  package init(_ name: String, niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(name: name, niceness: niceness, body: body))
    let status = pthread_create(
      &thread, nil, { Unmanaged<Start>.fromOpaque($0!).takeRetainedValue().run() }, start.toOpaque())
    // Only a machine without memory or threads left gets here; nothing can go on then.
    precondition(status == 0, "no thread can be started: \(String(cString: strerror(status)))")
    self.thread = thread
  }

  package func join() { pthread_join(thread, nil) }

  private final class Start {
    let name: String
    let niceness: Int32
    let body: @Sendable () -> Void

    init(name: String, niceness: Int32, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.niceness = niceness
      self.body = body
    }

    func run() -> UnsafeMutableRawPointer? {
      // Best effort: only what `top -H` shows.
      if let file = fopen("/proc/thread-self/comm", "w") {
        fputs(name, file)
        fclose(file)
      }
      if niceness != 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
      body()
      return nil
    }
  }
}
