// What a player holds, and the events that let it go.

/// Stepped by events in order.
public struct HeldInput: Sendable, Equatable {
  public private(set) var tilt: Direction?
  public private(set) var isPursing = false
  /// Steering as told last, −1…1.
  public private(set) var horizontal = 0.0
  public private(set) var isFacePresent = false

  public init() {}

  public mutating func add(_ event: InputEvent) {
    switch event {
    case .tilt(let phase, let direction): tilt = phase == .begin ? direction : nil
    case .purse(let phase, _): isPursing = phase == .begin
    case .horizontal(let value): horizontal = value
    case .face(let presence): isFacePresent = presence == .found
    case .jump, .release: break
    }
  }

  /// What to tell, in this order, so that nothing is held any more: the ends of all that is, why, and that the face is
  /// gone. Nothing when there is no face and nothing held.
  public func letGo(_ reason: ReleaseReason) -> [InputEvent] {
    var events: [InputEvent] = []
    if let tilt { events.append(.tilt(.end, tilt)) }
    if horizontal != 0 { events.append(.horizontal(0)) }
    if isPursing { events.append(.purse(.end, strength: nil)) }
    if !events.isEmpty { events.append(.release(reason)) }
    if isFacePresent { events.append(.face(.lost)) }
    return events
  }
}
