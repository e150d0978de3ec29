import Framing
import Http
import Units

/// Faults for the address being tried. A value.
struct AddressFaults {
  let url: StationAddress
  private let host: String?
  private let hasCredentials: Bool

  init(_ url: StationAddress, host: String?, hasCredentials: Bool) {
    (self.url, self.host, self.hasCredentials) = (url, host, hasCredentials)
  }

  /// The address for display, without secrets.
  var shownURL: String {
    // The normal form drops the fragment. In a doubtful address this may drop the "@" after a password and expose it.
    let normal = url.isDoubtful ? nil : try? WebAddress(url, allowsFile: true)
    return (normal?.url ?? url).description
  }

  // MARK: The network

  var hasRoute: Bool { isLoopback || LinkProbe.hasRoute() }

  private var isLoopback: Bool {
    guard let host else { return false }
    return host == "localhost" || host.hasPrefix("127.") || host == "::1" || host == "[::1]"
  }

  func error(_ error: NetworkError) -> PlaybackFault { self.error(error, of: url) }

  /// Returns the fault for an address of the same programme; `noNetwork` if a missing network explains the error.
  func error(_ error: NetworkError, of url: StationAddress) -> PlaybackFault {
    PlaybackFault(lacksNetwork(error) ? .noNetwork : error, of: url)
  }

  /// Returns true if a missing network explains the error. A name server is on another machine.
  private func lacksNetwork(_ error: NetworkError) -> Bool {
    switch error {
    case .hostNotFound, .nameServer, .namesDenied: !isLoopback && LinkProbe.isOffline()
    case .connectTimeout, .refused, .reset, .closedEarly, .proxyFailed: !hasRoute
    default: false
    }
  }

  var noNetwork: PlaybackFault { error(.noNetwork) }

  func silence(_ silence: Duration) -> PlaybackFault {
    hasRoute ? fault(.silence(seconds: Int(silence.seconds))) : noNetwork
  }

  func listStalled(_ time: Duration) -> PlaybackFault { fault(.stillList(seconds: Int(time.seconds))) }

  func brokenConnection(_ end: TransferEnd) -> PlaybackFault {
    let reason = if case .failed(let error) = end { error } else { NetworkError.closedEarly }
    return error(reason)
  }

  func closedConnection(_ end: TransferEnd) -> PlaybackFault {
    if case .failed = end { return brokenConnection(end) }
    return fault(.closed)
  }

  func refusal(_ status: Int) -> PlaybackFault {
    // The network, not the station, sends this status (RFC 6585, 6).
    if status == 511 { return error(.signIn) }
    return fault(.refused(hasCredentials: hasCredentials), status: status)
  }

  /// Fault for a status of 400 or more at another address, named by a list.
  func refusal(_ status: Int, of part: StationAddress) -> PlaybackFault {
    let address = try? WebAddress(part)
    return PlaybackFault(
      .refusedPart, url: part.description, at: address.map { PlaybackFault.Location(host: $0.host) }, status: status)
  }

  var readThroughNotice: NetNotice { .readThrough(url: shownURL, host: host) }

  func fault(_ detail: PlaybackFault.Detail, status: Int = 0) -> PlaybackFault {
    PlaybackFault(detail, url: shownURL, at: host.map { PlaybackFault.Location(host: $0) }, status: status)
  }
}
