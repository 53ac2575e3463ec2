// Test support: the service of `faceplay play` with a puppet before its camera. It prints the page's address, does what
// lines on standard input say, and ends with them or at a SIGTERM. `SyntheticService [PORT]`.
import Calibration
import FacePlayService
import Foundation
import Frames
import Gestures
import WebService

let data = DataFiles()
var ends = sigset_t()
sigemptyset(&ends)
sigaddset(&ends, SIGTERM)
pthread_sigmask(SIG_BLOCK, &ends, nil)
let port = CommandLine.arguments.dropFirst().first.flatMap(UInt16.init) ?? 0
let server = try PageServer(port: port, key: AccessKey.kept(port: port) ?? AccessKey(), folder: try data.path("page"))
let feed = SyntheticFeed()
let service = try PlayService(
  feed: feed, profile: Profile(), store: ProfileStore(), data: data, server: server,
  log: { FileHandle.standardError.write(Data("\($0)\n".utf8)) })
print(server.url)
fflush(nil)
let lines = WorkerThread("lines") {
  while let line = readLine() { feed.follow(line) }
  service.stop()
}
let end = WorkerThread("end") { [ends] in
  var (ends, number) = (ends, Int32(0))
  sigwait(&ends, &number)
  service.stop()
}
try service.run()
