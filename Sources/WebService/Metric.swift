// Counts and gauges in Prometheus' text format, version 0.0.4.

/// One metric, with a sample for each label value or a single one.
public struct Metric: Sendable {
  public enum Kind: String, Sendable {
    /// Only grows while the service runs.
    case counter
    case gauge
  }

  /// Without the prefix `faceplay_`: lower case, digits and `_`, with its unit; a counter's ends in `_total`.
  public let name: String
  public let help: String
  public let kind: Kind
  /// `label` tells samples apart, as in `kind="origin"`; of a single sample it is empty.
  public let samples: [(label: String, value: Double)]

  public init(_ name: String, _ kind: Kind, help: String, samples: [(label: String, value: Double)]) {
    self.name = name
    self.help = help
    self.kind = kind
    self.samples = samples
  }

  public init(_ name: String, _ kind: Kind, help: String, value: Double) {
    self.init(name, kind, help: help, samples: [("", value)])
  }

  var text: String {
    let lines = samples.map { label, value in
      "faceplay_\(name)\(label.isEmpty ? "" : "{\(label)}") \(Self.number(value))\n"
    }
    return "# HELP faceplay_\(name) \(help)\n# TYPE faceplay_\(name) \(kind.rawValue)\n" + lines.joined()
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map(String.init) ?? String(value)
  }
}
