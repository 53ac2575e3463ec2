// What computes the networks: which engine, with which of the CPU's instructions.

import CFaceLandmarker

/// The engines there are.
public enum LandmarkEngine: String, Sendable, CaseIterable {
  /// OpenCV's dnn module: any graph, any CPU.
  case dnn
  /// faceplay's own, several times faster on the graphs it knows.
  case fused
}

/// The vector instructions that the fused engine has loops for.
public enum InstructionSet: String, Sendable, CaseIterable {
  /// What every CPU has: SSE2 on x86-64, NEON on arm64.
  case baseline
  case avx2
  case avx512

  /// Whether this CPU has them.
  public var isAvailable: Bool { fl_has_instructions(code) != 0 }

  /// `FL_INSTRUCTIONS_…`.
  var code: Int32 {
    switch self {
    case .baseline: Int32(FL_INSTRUCTIONS_BASELINE)
    case .avx2: Int32(FL_INSTRUCTIONS_AVX2)
    case .avx512: Int32(FL_INSTRUCTIONS_AVX512)
    }
  }
}

extension InstructionSet: CustomStringConvertible {
  public var description: String {
    switch self {
    case .baseline:
      #if arch(arm64)
        "NEON"
      #else
        "SSE2"
      #endif
    case .avx2: "AVX2"
    case .avx512: "AVX-512"
    }
  }
}

/// The engine that a tracker runs on.
public struct EngineReport: Sendable, Equatable {
  public let engine: LandmarkEngine
  /// `nil` unless the engine is the fused one: OpenCV chooses for itself.
  public let instructions: InstructionSet?
  /// Why it is OpenCV although nobody asked for it.
  public let fallbackReason: String?

  /// What the user is to be told of the fallback, if there was one.
  public var notice: String? {
    fallbackReason.map { "faces are tracked by OpenCV, several times slower: the fused engine does not know \($0)" }
  }

  init(_ landmarker: OpaquePointer) {
    var report = fl_engine_report()
    fl_report_engine(landmarker, &report)
    let isFused = report.kind == Int32(FL_ENGINE_FUSED)
    engine = isFused ? .fused : .dnn
    instructions = isFused ? InstructionSet.allCases.first { $0.code == report.instructions } : nil
    let reason = withUnsafeBytes(of: report.fallback) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    fallbackReason = reason.isEmpty ? nil : reason
  }
}

extension EngineReport: CustomStringConvertible {
  public var description: String {
    "\(engine.rawValue)\(instructions.map { " (\($0))" } ?? "")"
  }
}

extension fl_engine {
  /// `nil` leaves the choice to the landmarker.
  init(_ engine: LandmarkEngine?, _ instructions: InstructionSet?) {
    let kind =
      switch engine {
      case nil: FL_ENGINE_AUTOMATIC
      case .dnn: FL_ENGINE_DNN
      case .fused: FL_ENGINE_FUSED
      }
    self.init(kind: Int32(kind), instructions: instructions?.code ?? Int32(FL_INSTRUCTIONS_BEST))
  }
}
