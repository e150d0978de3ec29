import Glibc
import Units

/// Detects new name servers: resolv.conf(5) was written or replaced. The C library reloads the file by itself.
struct ResolverWatch {
  private struct Stamp: Equatable {
    var device: UInt
    var number: UInt
    var byteCount: Int
    var seconds: Int
    var nanoseconds: Int
  }

  private let path: String
  private var known: Stamp?
  private var next = MonotonicTime.zero

  private static let pause = Duration(milliseconds: 1_000)

  init(path: String = "/etc/resolv.conf") {
    self.path = path
    known = Self.stamp(path)
  }

  /// Returns true if the file has changed since the last check; checks at most once a second.
  mutating func hasChanged(at now: MonotonicTime) -> Bool {
    guard now >= next else { return false }
    next = now + Self.pause
    let stamp = Self.stamp(path)
    defer { known = stamp }
    // A missing file names no server.
    return stamp != known && stamp != nil
  }

  /// Follows links: the file is often a link to a daemon's own file (stat(2)). Returns nil if missing.
  private static func stamp(_ path: String) -> Stamp? {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    return Stamp(
      device: UInt(found.st_dev), number: UInt(found.st_ino), byteCount: Int(found.st_size),
      seconds: found.st_mtim.tv_sec, nanoseconds: found.st_mtim.tv_nsec)
  }
}
