// The program as a server: it says where, serves, and ends when it is told to.
import Fixtures
import Foundation
import Testing

@Suite("Playing in a browser")
struct BrowserPlayTests {
  @Test("The address is printed first, a page there is told what delivers, and SIGTERM ends all cleanly")
  func whole() throws {
    let scratch = try Scratch()
    let program = Process()
    program.executableURL = Program.executable
    program.arguments = ["play", "--source", Checkout.demo, "--port", "0", "--no-open"]
    program.environment = ProcessInfo.processInfo.environment.merging(["XDG_DATA_HOME": scratch.path("")]) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    (program.standardOutput, program.standardError) = (output, errors)
    try program.run()
    let complaints = ReadAll(errors)
    defer { if program.isRunning { kill(program.processIdentifier, SIGKILL) } }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let address = try #require(line.wholeMatch(of: /http:\/\/127\.0\.0\.1:(\d+)(\/[0-9a-f]{32}\/)\n/))
    let page = try Client(port: #require(UInt16(address.1)))
    #expect(page.upgrade(address.2 + "ws") == 101)
    #expect(page.message(holding: #""source":"demo.mp4""#) != nil)
    #expect(page.message(holding: #""type":"frame""#) != nil)
    kill(program.processIdentifier, SIGTERM)
    #expect(page.closeStatus() == 1001)
    program.waitUntilExit()
    #expect(program.terminationReason == .exit && program.terminationStatus == 128 + SIGTERM)
    #expect(String(decoding: complaints.wait(), as: UTF8.self).isEmpty)
  }
}
