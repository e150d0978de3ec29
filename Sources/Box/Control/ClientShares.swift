/// Limits of concurrent clients, so that no kind keeps the others out. Strangers: TCP clients without a password.
struct ClientShares {
  enum ClientKind: Hashable {
    case local, remote, stranger
  }

  var maxClients = 256

  var hasRemote = false

  /// An eighth is reserved for TCP.
  var maxLocal: Int { hasRemote ? maxClients - maxClients / 8 : maxClients }
  /// Includes strangers. Half is reserved for the Unix socket.
  var maxRemote: Int { maxClients / 2 }
  /// For one more, the oldest stranger is disconnected.
  var maxStrangers: Int { max(1, maxClients / 8) }
  /// For one more, the oldest stranger of that address is disconnected.
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
    // An address at its limit loses its own oldest stranger: other strangers may know the password.
    let neighbours = strangers.filter { $0.address == address }
    if kind == .stranger, let first = neighbours.first, neighbours.count >= maxStrangersPerAddress {
      return .instead(ofStranger: first.descriptor)
    }
    let isFull = clients.count >= maxClients || clients.count - localCount >= maxRemote
    guard isFull || kind == .stranger && strangers.count >= maxStrangers else { return .welcome }
    return strangers.first.map { .instead(ofStranger: $0.descriptor) } ?? .turnedAway
  }
}
