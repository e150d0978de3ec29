import Glibc

/// The address of a Unix socket (unix(7)).
public struct UnixAddress {
  private var address = sockaddr_un()
  private let length: socklen_t

  /// Creates an address from a path; nil if empty or too long. `allowsAbstract`: "@" starts a name outside the file
  /// system.
  public init?(_ path: String, allowsAbstract: Bool = false) {
    var bytes = Array(path.utf8)
    guard let first = bytes.first, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    let isAbstract = allowsAbstract && first == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
  }

  /// Passes the address to a socket call.
  public func with<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// Opens a close-on-exec socket, nonblocking if `waits` is false; negative with errno on failure.
  public static func socket(_ kind: __socket_type, waits: Bool = true) -> Int32 {
    Glibc.socket(
      AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue | (waits ? 0 : SOCK_NONBLOCK.rawValue)), 0)
  }
}
