import CLinux
import Glibc
import System
import Units

/// The sockets at which the panel is served.
struct ListeningSockets: ~Copyable {
  private let descriptors: [Int32]
  /// Where each is, as a browser is told.
  let places: [SocketAddress]

  /// What the service manager passes begins with this descriptor (sd_listen_fds(3)).
  private static let firstPassed: Int32 = 3

  /// Listens at some addresses; at none, at the sockets that the service manager has opened for this process.
  init(_ addresses: [ListenAddress]) throws(WebError) {
    var open = addresses.isEmpty ? Self.passed() : []
    for address in addresses {
      do throws(ListenAddress.ListenError) { open.append(try address.listen().descriptor) } catch {
        for descriptor in open { close(descriptor) }
        switch error {
        case .badAddress: throw .listen(address.description, .noAddress)
        case .refused(let code): throw .listen(address.description, .refused(code))
        }
      }
    }
    guard !open.isEmpty else { throw .noSocket }
    descriptors = open
    places = open.map { SocketAddress.own(of: $0) }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// How many sockets the service manager has opened for this process.
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

  /// Has a set wait for connections.
  func watch(in set: Int32) { for descriptor in descriptors { bk_watch(set, descriptor, false) } }

  /// Takes connections that wait, some at a time.
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
