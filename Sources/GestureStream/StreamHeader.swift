// The stream's first record: where it comes from, how its time runs and what the recognisers were tuned by.
import Gestures

public struct StreamHeader: Sendable, Equatable {
  /// The `schema` of version 1, the only one there is.
  public static let schema = "faceplay.gestures/1"

  public let clock: Clock
  public let source: Source
  /// The landmark network, as `sha256:` and its file's digest; `nil` when not known, as for a landmark trace.
  public let landmarkModel: String?
  public let profile: Profile

  /// How the records' times run.
  public enum Clock: String, Sendable {
    /// Media time of a clip.
    case media
    /// CLOCK_MONOTONIC minus the first frame's, of a camera.
    case monotonic
  }

  /// What delivered the frames.
  public struct Source: Sendable, Equatable {
    public let kind: Kind
    /// As the player knows it: the clip's file name, the camera's name.
    public let name: String
    /// Pixels, 1…65535.
    public let width: Int
    /// Pixels, 1…65535.
    public let height: Int
    /// Nominal frames per second; 0 when not known.
    public let fps: Double

    public init(kind: Kind, name: String, width: Int, height: Int, fps: Double) {
      self.kind = kind
      self.name = name
      self.width = width
      self.height = height
      self.fps = fps
    }
  }

  /// An open set: a stream from a newer writer may name a kind that has no constant here.
  public struct Kind: RawRepresentable, Sendable, Equatable {
    public let rawValue: String

    public static let clip = Kind(rawValue: "clip")
    public static let camera = Kind(rawValue: "camera")
    public static let trace = Kind(rawValue: "trace")

    public init(rawValue: String) {
      self.rawValue = rawValue
    }
  }

  public init(clock: Clock, source: Source, landmarkModel: String?, profile: Profile) {
    self.clock = clock
    self.source = source
    self.landmarkModel = landmarkModel
    self.profile = profile
  }
}
