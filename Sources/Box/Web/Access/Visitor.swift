import CLinux
import Glibc
import System
import Units

final class Visitor {
  enum Stage: Equatable {
    case asking
    /// The request is being executed, or its response is being sent.
    case served
    case listening
  }

  struct Connection {
    let descriptor: Int32
    let own: SocketAddress
    /// The address group that counts as one visitor (`AddressGroup`).
    let group: String
    /// The network of the address, which counts as one visitor for passwords.
    let network: String

    init(_ descriptor: Int32) {
      self.init(descriptor, own: SocketAddress.own(of: descriptor), peer: SocketAddress.peer(of: descriptor))
    }

    init(_ descriptor: Int32, own: SocketAddress, peer: SocketAddress) {
      (self.descriptor, self.own) = (descriptor, own)
      // The connection shows the local network. The service must not query other networks (netlink(7)).
      let networks = AddressGroup.Network(around: own.bytes).map { [$0] } ?? []
      group = AddressGroup.name(of: peer.bytes, beside: networks)
      network = AddressGroup.network(of: peer.bytes)
    }
  }

  let connection: Connection
  private(set) var stage = Stage.asking
  private(set) var since: MonotonicTime
  private(set) var isLeaving = false

  private static let patience = (asking: Duration(milliseconds: 10_000), served: Duration(milliseconds: 30_000))

  init(_ descriptor: Int32, at now: MonotonicTime) {
    (connection, since) = (Connection(descriptor), now)
    // Limits the kernel's buffer for a client that does not read.
    var room: Int32 = 65_536
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    var milliseconds: UInt32 = 30_000
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<UInt32>.size))
  }

  func enter(_ stage: Stage, at now: MonotonicTime) { (self.stage, since) = (stage, now) }

  var end: MonotonicTime {
    switch stage {
    case .asking: since + Self.patience.asking
    case .served: since + Self.patience.served
    case .listening: .never
    }
  }

  var hasLeft: Bool { bk_has_left(connection.descriptor) }

  /// Shuts the connection down (`shutdown(2)`). libmicrohttpd frees its resources later.
  func leave() {
    isLeaving = true
    shutdown(connection.descriptor, Int32(SHUT_RDWR))
  }
}
