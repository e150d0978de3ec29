import Glibc
import Units

/// Notices that the machine has other name servers: resolv.conf(5) was written or replaced. The C library reads it anew
/// by itself.
struct ResolverWatch {
  /// What tells one state of the file from another.
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

  /// A watch that knows the file as it is.
  init(path: String = "/etc/resolv.conf") {
    self.path = path
    known = Self.stamp(path)
  }

  /// Whether the file is another one than when it was looked at last, which is done once a second at most.
  mutating func hasChanged(at now: MonotonicTime) -> Bool {
    guard now >= next else { return false }
    next = now + Self.pause
    let stamp = Self.stamp(path)
    defer { known = stamp }
    // Without a file there is nobody to ask.
    return stamp != known && stamp != nil
  }

  /// Follows links, since the file is one to a daemon's own on many systems (stat(2)); nil where there is none.
  private static func stamp(_ path: String) -> Stamp? {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    return Stamp(
      device: UInt(found.st_dev), number: UInt(found.st_ino), byteCount: Int(found.st_size),
      seconds: found.st_mtim.tv_sec, nanoseconds: found.st_mtim.tv_nsec)
  }
}
