// What is held, and letting it go.
import Gestures
import Testing

@Suite("Held input")
struct HeldInputTests {
  @Test("All that is held ends, then the reason and the loss of the face; steering last told counts")
  func letGo() {
    var held = HeldInput()
    for event: InputEvent in [
      .face(.found), .tilt(.begin, .left), .horizontal(-1), .horizontal(-0.5), .purse(.begin, strength: 1),
      .jump(count: 1),
    ] { held.add(event) }
    let released = held.letGo(.exit)
    #expect(
      released == [.tilt(.end, .left), .horizontal(0), .purse(.end, strength: nil), .release(.exit), .face(.lost)])
    for event in released { held.add(event) }
    #expect(held == HeldInput())
    #expect(held.letGo(.exit).isEmpty)
  }

  @Test("With nothing held only the face is lost")
  func face() {
    var held = HeldInput()
    held.add(.face(.found))
    #expect(held.letGo(.stalled) == [.face(.lost)])
  }
}
