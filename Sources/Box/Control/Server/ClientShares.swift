/// Maximum numbers of concurrent clients by kind: each kind can always connect. Stranger: a TCP client without a
/// password.
struct ClientShares {
  enum ClientKind: Hashable {
    case local, remote, stranger
  }

  var maxClients = 256

  var hasRemote = false

  /// Maximum number of Unix-socket clients; an eighth of `maxClients` is reserved for TCP.
  var maxLocal: Int { hasRemote ? maxClients - maxClients / 8 : maxClients }
  /// Maximum number of TCP clients, with strangers; half of `maxClients` is reserved for the Unix socket.
  var maxRemote: Int { maxClients / 2 }
  /// Maximum number of strangers; a further stranger replaces the oldest stranger.
  var maxStrangers: Int { max(1, maxClients / 8) }
  /// Maximum number of strangers per address; a further stranger replaces the oldest stranger of its address.
  var maxStrangersPerAddress: Int { max(1, maxClients / 32) }

  enum Verdict: Equatable {
    case welcome
    case instead(ofStranger: Int32)
    case turnedAway
  }

  func verdict(
    on kind: ClientKind, of address: String?, beside clients: [(descriptor: Int32, kind: ClientKind, address: String?)]
  ) -> Verdict {
    let strangers = clients.filter { $0.kind == .stranger }
    let localCount = clients.count { $0.kind == .local }
    if kind == .local {
      guard localCount < maxLocal else { return .turnedAway }
      if clients.count < maxClients { return .welcome }
      return strangers.first.map { .instead(ofStranger: $0.descriptor) } ?? .turnedAway
    }
    // At its limit, an address loses its own oldest stranger. Strangers of other addresses may be about to send a
    // password.
    let neighbours = strangers.filter { $0.address == address }
    if kind == .stranger, let first = neighbours.first, neighbours.count >= maxStrangersPerAddress {
      return .instead(ofStranger: first.descriptor)
    }
    let isFull = clients.count >= maxClients || clients.count - localCount >= maxRemote
    guard isFull || kind == .stranger && strangers.count >= maxStrangers else { return .welcome }
    return strangers.first.map { .instead(ofStranger: $0.descriptor) } ?? .turnedAway
  }
}
