// System calls' failures as typed errors.
import Glibc

struct SystemError: Error {
  /// The call's `errno`.
  let code: Int32
}

/// A system call's result, or its error where that is −1.
@discardableResult
func checked(_ result: Int32) throws(SystemError) -> Int32 {
  guard result >= 0 else { throw SystemError(code: errno) }
  return result
}
