/// Why a transfer, or an address, came to nothing.
public enum NetworkError: Error, Equatable, Sendable {
  /// The text is no address.
  case badURL
  /// The scheme (in small letters) is none that is spoken, or not one that is allowed here.
  case badScheme(String)
  /// A header to send is not "Name: value" on one line.
  case badHeader
  /// The name resolves to no address. libcurl says so too where no name server answers, which `NameProbe` finds out.
  case hostNotFound
  /// No name server answers.
  case nameServer
  /// This machine has no network at all.
  case noNetwork
  /// There is a network, but no way through it to the host.
  case unreachable
  /// The host takes no connections at that port.
  case refused
  /// Nothing answered in time.
  case connectTimeout
  /// The proxy that the environment names cannot be used.
  case proxyFailed
  /// No secure connection came about.
  case tls(TLSFault)
  /// The connection broke.
  case reset
  /// The body ended before its told length, or within a chunk.
  case closedEarly
  /// More than ten redirects.
  case tooManyRedirects
  /// A redirect that names no address.
  case badRedirect
  /// A list, a feed or a redirect names an address in a network that the listener's own address is not in.
  case outOfReach(AddressRange)
  /// A list, a feed or a redirect names a port of another service than the web's.
  case refusedPort(Int)
  /// A list leads to lists, and those to more, and no station shows among them.
  case onlyLists
  /// The body is compressed although nobody asked for that.
  case compressed
  /// The answer is not HTTP, or breaks its rules or all measure.
  case badAnswer
  /// `Transfer.cancel` or `HeadVerdict.stop`.
  case cancelled
  /// A local file cannot be read, with the `errno`.
  case localFile(errno: Int32)
  /// No memory was left.
  case outOfMemory
  /// libcurl failed in a way that no server causes, with its code.
  case `internal`(code: Int32)

  /// What is wrong with a certificate or a handshake.
  public enum TLSFault: Int, Sendable, CaseIterable {
    /// The certificate is too old, or the clock runs ahead.
    case expired
    /// The certificate is too young, or the clock stands in the past.
    case notYetValid
    /// The certificate is self-signed, or its issuer is not among the trusted.
    case unknownIssuer
    /// The certificate is for another host.
    case wrongHost
    /// The trusted certificates of this machine cannot be read.
    case noTrustStore
    /// The certificate fails for another reason.
    case badCertificate
    /// The two sides found no common ground.
    case handshake
  }

  /// Whether the same request may well succeed a little later, with nobody doing anything.
  public var isWorthRetrying: Bool {
    switch self {
    case .noNetwork, .nameServer, .unreachable, .refused, .connectTimeout, .proxyFailed, .reset, .closedEarly: true
    case .tls(.notYetValid), .tls(.handshake): true
    default: false
    }
  }
}
