import Glibc
import System
import Units

enum UnixSocket {
  /// Listens at `path`; only the owner and a group may connect. Replaces the socket of a dead radio.
  static func listen(at path: String, group: String?) throws(ControlError) -> Int32 {
    let address = try address(of: path)
    let groupID = try group.map(Self.groupID) ?? getgid()
    try clear(path, address)
    let listener = open()
    // No client may connect before the group is set: `bind(2)` copies the mode of the socket. The umask does not
    // change, because other threads may be creating files.
    guard fchmod(listener, 0o600) == 0, address.with({ bind(listener, $0, $1) }) == 0,
      assign(path, to: groupID), chmod(path, 0o660) == 0, Glibc.listen(listener, 64) == 0
    else {
      let code = errno
      close(listener)
      throw .refused(path, errno: code)
    }
    return listener
  }

  /// Changes a socket's group if different. The check comes first, because the service may not call chown(2).
  private static func assign(_ path: String, to groupID: gid_t) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_gid == groupID || chown(path, uid_t.max, groupID) == 0
  }

  /// Connects to the radio at `path`; nil with `errno` set on failure. EAGAIN: the radio did not accept within
  /// `patience`, which also limits later sends (SO_SNDTIMEO). `patience`: nil for a non-blocking socket.
  static func connect(to path: String, within patience: Duration?) throws(ControlError) -> Int32? {
    let address = try address(of: path)
    let descriptor = patience.map { waiting($0) } ?? open()
    if address.with({ Glibc.connect(descriptor, $0, $1) }) == 0 { return descriptor }
    let code = errno
    close(descriptor)
    errno = code
    return nil
  }

  private static func waiting(_ patience: Duration) -> Int32 {
    let descriptor = UnixAddress.socket(SOCK_STREAM)
    // Zero would mean no timeout.
    let microseconds = max(1_000, Int(patience.nanoseconds / 1_000))
    var limit = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return descriptor
  }

  private static func open() -> Int32 { UnixAddress.socket(SOCK_STREAM, waits: false) }

  private static func address(of path: String) throws(ControlError) -> UnixAddress {
    guard let address = UnixAddress(path) else { throw .pathTooLong(path) }
    return address
  }

  private static func groupID(_ name: String) throws(ControlError) -> gid_t {
    if let number = gid_t(name) { return number }
    guard let entry = getgrnam(name) else { throw .noGroup(name) }
    return entry.pointee.gr_gid
  }

  /// Removes a socket file if no server listens on it.
  private static func clear(_ path: String, _ address: UnixAddress) throws(ControlError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    let probe = open()
    defer { close(probe) }
    if address.with({ Glibc.connect(probe, $0, $1) }) == 0 || errno == EAGAIN { throw .taken(path) }
    unlink(path)
  }
}
