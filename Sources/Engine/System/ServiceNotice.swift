import Glibc

/// What a service tells its manager (`sd_notify(3)`): datagrams to the socket that `NOTIFY_SOCKET` names; without it
/// nobody hears.
public struct ServiceNotice {
  private let address = getenv("NOTIFY_SOCKET").flatMap { UnixAddress(String(cString: $0), allowsAbstract: true) }

  /// Whoever the environment names is told.
  public init() {}

  /// Tells lines such as "READY=1", without waiting.
  public func send(_ text: String) {
    guard let address else { return }
    let socket = Descriptor(UnixAddress.socket(SOCK_DGRAM))
    guard socket.isOpen else { return }
    let words = Array(text.utf8)
    address.with { _ = sendto(socket.raw, words, words.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, $1) }
  }
}
