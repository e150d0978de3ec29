import Glibc

/// Sends a service's state to its manager through the socket in `NOTIFY_SOCKET`, if set (`sd_notify(3)`).
public struct ServiceNotice {
  private let address = getenv("NOTIFY_SOCKET").flatMap { UnixAddress(String(cString: $0), allowsAbstract: true) }

  /// Uses the environment's socket.
  public init() {}

  /// Sends lines such as "READY=1" without blocking.
  public func send(_ text: String) {
    guard let address else { return }
    let socket = Descriptor(UnixAddress.socket(SOCK_DGRAM))
    guard socket.isOpen else { return }
    let words = Array(text.utf8)
    address.with { _ = sendto(socket.raw, words, words.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, $1) }
  }
}
