// Lines on standard output and standard error.
import GestureStream
import Glibc

/// One line on standard error. What a file holds or is called may be quoted in it: nothing of that may steer the terminal.
func printError(_ text: String) {
  // Nobody is left to tell if this fails.
  writeSoon(text.filter { $0.columns > 0 } + "\n", to: STDERR_FILENO)
}

/// On standard output, as the lines of a result. Throws `StreamWriteError`.
func printResult(_ text: String, terminator: String = "\n") throws(StreamWriteError) {
  let output = try OutputFile(path: "-", cancellation: Interruption.cancellation)
  try output.write(Array((text + terminator).utf8))
  try output.commit()
}

/// A few words for whoever reads them; a reader that takes nothing for 250 ms goes without.
func writeSoon(_ text: String, to descriptor: Int32) {
  var text = text
  text.withUTF8 { writeSoon($0, to: descriptor) }
}

/// Safe in a signal handler.
func writeSoon(_ text: UnsafeBufferPointer<UInt8>, to descriptor: Int32) {
  var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  if poll(&ready, 1, 250) > 0 { _ = write(descriptor, text.baseAddress, text.count) }
}
