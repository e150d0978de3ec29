import CLinux
import Glibc
import System
import Units

/// The sockets on which the panel is served.
struct ListeningSockets: ~Copyable {
  private let descriptors: [Int32]
  let places: [SocketAddress]

  /// The first descriptor from the service manager (sd_listen_fds(3)).
  private static let firstPassed: Int32 = 3

  /// Listens on addresses; without addresses, uses the sockets from the service manager.
  init(_ addresses: [ListenAddress]) throws(WebError) {
    var open = addresses.isEmpty ? Self.passed() : []
    for address in addresses {
      do throws(ListenAddress.ListenError) { open.append(try address.listen(among: addresses).descriptor) } catch {
        for descriptor in open { close(descriptor) }
        throw .listen(address.description, error)
      }
    }
    guard !open.isEmpty else { throw .noSocket }
    descriptors = open
    places = open.map { SocketAddress.own(of: $0) }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  static var passedCount: Int32 {
    guard let owner = getenv("LISTEN_PID"), Int32(String(cString: owner)) == getpid(), let count = getenv("LISTEN_FDS")
    else { return 0 }
    return Int32(String(cString: count)).map { max(0, min(16, $0)) } ?? 0
  }

  private static func passed() -> [Int32] {
    (0..<passedCount).map { firstPassed + $0 }.filter { descriptor in
      let flags = fcntl(descriptor, F_GETFL)
      return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
        && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    }
  }

  func watch(in set: Int32) { for descriptor in descriptors { bk_watch(set, descriptor, false) } }

  func accept(_ take: (Int32) -> Void) {
    for descriptor in descriptors {
      for _ in 0..<16 {
        let connection = bk_accept(descriptor)
        guard connection >= 0 else { break }
        take(connection)
      }
    }
  }
}
