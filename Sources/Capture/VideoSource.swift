// Where frames come from.
import Frames

/// What a source is, as the gesture stream's header names it.
public struct SourceDescription: Sendable, Equatable {
  public enum Kind: String, Sendable {
    case clip, camera
  }

  public let kind: Kind
  /// The file's or the camera's name, for people.
  public let name: String
  /// Pixels, of the first frame; a clip may change its size on the way.
  public let width: Int
  /// Pixels, of the first frame.
  public let height: Int
  /// Frames a second as the source states it; 0 when it does not.
  public let frameRate: Double

  public init(kind: Kind, name: String, width: Int, height: Int, frameRate: Double) {
    self.kind = kind
    self.name = name
    self.width = width
    self.height = height
    self.frameRate = frameRate
  }
}

/// A camera or a clip. One thread at a time asks for frames; any thread may look at the rest or cancel.
public protocol VideoSource: AnyObject, Sendable {
  var description: SourceDescription { get }

  /// Frames read, delivered and lost so far, and how long each took to make.
  var metrics: StageMetrics { get }

  /// What is wrong with a clip, known once it has been read to its end; `nil` if nothing is.
  var damage: ClipDamage? { get }

  /// Waits for the next frame; `nil` at the end and once cancelled. Meanwhile `tell` hears of each change in how a
  /// camera is doing.
  func next(_ tell: (CameraCondition) -> Void) throws(CaptureError) -> Frame?

  /// Makes a waiting `next()` and every later one return `nil`.
  func cancel()
}

extension VideoSource {
  public var damage: ClipDamage? { nil }
  public func next() throws(CaptureError) -> Frame? { try next { _ in } }
}
