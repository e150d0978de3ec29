import CLinux
import Glibc
import System
import Units

/// A connection of a browser.
final class Visitor {
  /// What it does.
  enum Stage: Equatable {
    /// Its request is not whole yet.
    case asking
    /// Its request is carried out, or its answer is being sent.
    case served
    /// It hears events.
    case listening
  }

  /// Its connection.
  struct Connection {
    let descriptor: Int32
    /// This end of it.
    let own: SocketAddress
    /// Which connections count as one visitor's (`AddressGroup`).
    let group: String

    /// One that was accepted.
    init(_ descriptor: Int32) {
      self.descriptor = descriptor
      own = SocketAddress.own(of: descriptor)
      // A neighbour came in at an address of its own network; the service may not ask for the others (netlink(7)).
      let network = AddressGroup.Network(around: own.bytes).map { [$0] } ?? []
      group = AddressGroup.name(of: SocketAddress.peer(of: descriptor).bytes, beside: network)
    }
  }

  let connection: Connection
  private(set) var stage = Stage.asking
  /// Since when it does that.
  private(set) var since: MonotonicTime
  /// Whether it was told to go.
  private(set) var isLeaving = false

  /// A request has so long to be whole, an answer to be read.
  private static let patience = (asking: Duration(milliseconds: 10_000), served: Duration(milliseconds: 30_000))

  /// A connection that was accepted.
  init(_ descriptor: Int32, at now: MonotonicTime) {
    (connection, since) = (Connection(descriptor), now)
    // What the kernel keeps for one that does not read.
    var room: Int32 = 65_536
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    var milliseconds: UInt32 = 30_000
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<UInt32>.size))
  }

  /// It does something else from now on.
  func enter(_ stage: Stage, at now: MonotonicTime) { (self.stage, since) = (stage, now) }

  /// When it has to go; never while it hears events.
  var end: MonotonicTime {
    switch stage {
    case .asking: since + Self.patience.asking
    case .served: since + Self.patience.served
    case .listening: .never
    }
  }

  /// Whether the other side has ended it.
  var hasLeft: Bool { bk_has_left(connection.descriptor) }

  /// Ends the connection; what belongs to it goes when that is seen (`shutdown(2)`).
  func leave() {
    isLeaving = true
    shutdown(connection.descriptor, Int32(SHUT_RDWR))
  }
}
