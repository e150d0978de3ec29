/// How many clients of each kind are served at a time, so that none of them keeps the others out: those of the Unix
/// socket, those of TCP, and of these the strangers, who have not told a password yet.
struct ClientShares {
  enum ClientKind: Hashable {
    case local, remote, stranger
  }

  /// The most clients in all.
  var most = 256

  /// Whether TCP is served at all.
  var hasRemote = false

  /// The most of the Unix socket: an eighth is left for TCP.
  var mostLocal: Int { hasRemote ? most - most / 8 : most }
  /// The most of TCP, strangers among them: half is left for the Unix socket.
  var mostRemote: Int { most / 2 }
  /// The most strangers; for one more the one goes that came first.
  var mostStrangers: Int { max(1, most / 8) }
  /// The most strangers of one address; for one more the one goes that came first from there.
  var mostStrangersOfAddress: Int { max(1, most / 32) }

  /// What happens to one more client.
  enum Verdict: Equatable {
    case welcome
    case instead(ofStranger: Int32)
    case turnedAway
  }

  /// Whether one more of a kind is taken; `clients` are those who are there, in the order in which they came.
  func verdict(
    on kind: ClientKind, of address: String?, beside clients: [(descriptor: Int32, kind: ClientKind, address: String?)]
  ) -> Verdict {
    let strangers = clients.filter { $0.kind == .stranger }
    let localCount = clients.count { $0.kind == .local }
    if kind == .local {
      guard localCount < mostLocal else { return .turnedAway }
      if clients.count < most { return .welcome }
      return strangers.first.map { .instead(ofStranger: $0.descriptor) } ?? .turnedAway
    }
    // Who holds connections without a password goes before who may know it.
    let neighbours = strangers.filter { $0.address == address }
    if kind == .stranger, let first = neighbours.first, neighbours.count >= mostStrangersOfAddress {
      return .instead(ofStranger: first.descriptor)
    }
    let isFull = clients.count >= most || clients.count - localCount >= mostRemote
    guard isFull || kind == .stranger && strangers.count >= mostStrangers else { return .welcome }
    return strangers.first.map { .instead(ofStranger: $0.descriptor) } ?? .turnedAway
  }
}
