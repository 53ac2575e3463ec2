// Where a key outlives the service: a file that nobody else can read or plant.
import Glibc

extension AccessKey {
  /// The key of this user's services on a port: `faceplay/key-PORT` in the folder for what lives as long as a user is
  /// logged in (`XDG_RUNTIME_DIR`, XDG Base Directory Specification), made by the first of them. `nil` where there is no
  /// such folder, or where somebody else could read or write there, and for port 0, which is another each time.
  public static func kept(
    port: UInt16, runtimeFolder: String? = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
  ) -> AccessKey? {
    guard port != 0, let runtimeFolder, runtimeFolder.hasPrefix("/") else { return nil }
    let runtime = open(runtimeFolder, O_DIRECTORY | O_CLOEXEC)
    defer { close(runtime) }
    guard isOwn(runtime, S_IFDIR) else { return nil }
    mkdirat(runtime, "faceplay", 0o700)
    let folder = openat(runtime, "faceplay", O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    defer { close(folder) }
    guard isOwn(folder, S_IFDIR) else { return nil }
    // Not waiting for a writer, should it be a FIFO.
    let file = openat(folder, "key-\(port)", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    defer { close(file) }
    guard isOwn(file, S_IFREG) else { return nil }
    return read(file) ?? write(AccessKey(), file)
  }

  /// Whether what was opened is of this type, this user's, and closed to all others.
  private static func isOwn(_ descriptor: Int32, _ type: mode_t) -> Bool {
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == type && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
  }

  private static func read(_ file: Int32) -> AccessKey? {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = pread(file, &bytes, bytes.count, 0)
    return String(validating: bytes.prefix(max(count, 0)), as: UTF8.self).flatMap(AccessKey.init(hexadecimal:))
  }

  private static func write(_ key: AccessKey, _ file: Int32) -> AccessKey? {
    let text = Array(hexadecimal(key.bytes).utf8)
    return ftruncate(file, 0) == 0 && pwrite(file, text, text.count, 0) == text.count ? key : nil
  }
}
