/// The reason why a transfer failed or an address was rejected.
public enum NetworkError: Error, Equatable, Sendable {
  case badURL
  /// The scheme, in lower case, is unknown or not allowed here.
  case badScheme(String)
  /// A header to send does not have the form "Name: value" on one line.
  case badHeader
  /// The name has no address. libcurl also reports this error if all name servers are silent; `NameProbe` finds the
  /// difference.
  case hostNotFound
  case nameServer
  /// The name servers deny all names, even the root, as without a connection.
  case namesDenied
  case noNetwork
  /// This machine has a network, but no route to the host.
  case unreachable
  case refused
  case connectTimeout
  /// The proxy from the environment cannot be used.
  case proxyFailed
  case tls(TLSFault)
  case reset
  /// The body ended before its announced length or within a chunk.
  case closedEarly
  /// More than 20 redirects, or a loop.
  case tooManyRedirects
  case badRedirect
  /// The network replied with its own page, to sign in.
  case signIn
  /// A list, a feed or a redirect names an address in a foreign network. The listener's own address is not in this
  /// network.
  case outOfReach(AddressRange)
  /// A list, a feed or a redirect names a port that belongs to a service other than the web.
  case refusedPort(Int)
  /// Lists lead only to further lists, without a station.
  case onlyLists
  /// The body is compressed, though compression was not requested.
  case compressed
  /// The response is not HTTP, violates the protocol or exceeds a limit.
  case badAnswer
  /// `Transfer.cancel` or `HeadVerdict.stop`.
  case cancelled
  case localFile(errno: Int32)
  case outOfMemory
  /// libcurl failed with that code for a reason inside this machine.
  case `internal`(code: Int32)

  /// The fault of a certificate or a handshake.
  public enum TLSFault: Int, Sendable, CaseIterable {
    /// The certificate is too old, or the clock is fast.
    case expired
    /// The certificate is too new, or the clock is slow.
    case notYetValid
    /// The certificate is self-signed, or its issuer is not trusted.
    case unknownIssuer
    case wrongHost
    /// This machine's trusted certificates cannot be read.
    case noTrustStore
    case badCertificate
    case handshake
  }

  /// True if the same request may succeed a little later without any action.
  public var isWorthRetrying: Bool {
    switch self {
    case .noNetwork, .nameServer, .namesDenied, .unreachable, .refused, .connectTimeout, .proxyFailed, .reset: true
    case .closedEarly, .tls(.notYetValid), .tls(.handshake): true
    default: false
    }
  }
}
