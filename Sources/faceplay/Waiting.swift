// Asynchronous work awaited by a command, which runs on the main thread.
import Frames

/// Runs the work and waits for it. Not to be called from a task: it holds its thread up.
func waiting<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
  let outcome = NewestSlot<Result<Value, any Error>>()
  Task {
    do {
      outcome.put(.success(try await work()))
    } catch {
      outcome.put(.failure(error))
    }
  }
  // Only a slot that is closed gives nothing.
  return try outcome.take()!.get()
}
