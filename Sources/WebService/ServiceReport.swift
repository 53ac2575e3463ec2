// What the service says of itself when asked over HTTP.

/// How the service does, for `/healthz` and `/metrics`.
public struct ServiceReport: Sendable {
  /// What keeps it from working, for people; `nil` while it works.
  public var trouble: String?
  public var metrics: [Metric]

  public init(trouble: String? = nil, metrics: [Metric] = []) {
    self.trouble = trouble
    self.metrics = metrics
  }
}
