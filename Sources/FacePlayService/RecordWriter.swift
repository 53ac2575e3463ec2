// Stream records into a file, from whichever thread tells them.
import Frames
import GestureStream
import Synchronization

/// Keeps the first failure for the thread that can act on it.
public final class RecordWriter: Sendable {
  fileprivate enum Format {
    case jsonl(JSONLinesWriter)
    case csv(CSVWriter)
  }

  fileprivate struct State {
    let output: OutputFile
    var format: Format
    let isLive: Bool
    var summary = ClipExport.Summary()
    var failure: (any Error)?
  }

  private let state: Mutex<State>

  /// Opens the file and writes the header. `format` is a stream's, not landmarks. When `isLive`, each record goes out
  /// at once. Throws `StreamWriteError`.
  public init(
    path: String, format: ExportFormat, header: StreamHeader, isLive: Bool = false, cancellation: Cancellation
  ) throws {
    let output = try OutputFile(path: path, cancellation: cancellation)
    let format: Format = format == .csv ? .csv(try CSVWriter(output)) : .jsonl(JSONLinesWriter(output))
    var state = State(output: output, format: format, isLive: isLive)
    try state.write(.header(header))
    self.state = Mutex(state)
  }

  public func write(_ record: StreamRecord) {
    state.withLock { state in
      guard state.failure == nil else { return }
      do {
        try state.write(record)
      } catch {
        state.failure = error
      }
    }
  }

  /// What has been written so far; throws the failure that stopped it.
  @discardableResult
  public func check() throws -> ClipExport.Summary {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.summary
    }
  }

  /// Gives the file its name. Throws the failure that stopped the writing, and then leaves no file.
  public func commit() throws {
    try check()
    try state.withLock { try $0.output.commit() }
  }

  /// See `OutputFile`. Throws as `commit()` does.
  public func commitPartial() throws -> String {
    try check()
    return try state.withLock { try $0.output.commitPartial() }
  }
}

extension RecordWriter.State {
  fileprivate mutating func write(_ record: StreamRecord) throws {
    switch format {
    case .jsonl(let writer):
      try writer.write(record)
    case .csv(var writer):
      try writer.write(record)
      format = .csv(writer)
    }
    if isLive { try output.flush() }
    summary.add(record)
  }
}
