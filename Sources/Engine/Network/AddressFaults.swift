import Framing
import Units

/// What can go wrong with what is being asked for. A value.
struct AddressFaults {
  /// What is asked for.
  let url: StationAddress
  /// Its host; nil where that is not known.
  private let host: String?
  /// Whether the listener gave a name and a password for it.
  private let hasCredentials: Bool

  /// Faults with `url` on `host`; nil where that is not known.
  init(_ url: StationAddress, host: String?, hasCredentials: Bool) {
    (self.url, self.host, self.hasCredentials) = (url, host, hasCredentials)
  }

  /// What is asked for, as it may be shown.
  var shownURL: String {
    // The normal form has no fragment, and with it went the "@" behind a password.
    let normal = url.isDoubtful ? nil : try? WebAddress(url, allowsFile: true)
    return (normal?.url ?? url).description
  }

  // MARK: The network

  /// Whether this machine has a network that may lead to the station.
  var hasWay: Bool { isLoopback || LinkProbe.hasRoute() }

  private var isLoopback: Bool {
    guard let host else { return false }
    return host == "localhost" || host.hasPrefix("127.") || host == "::1" || host == "[::1]"
  }

  /// An error with this address.
  func error(_ error: NetworkError) -> PlaybackFault { self.error(error, of: url) }

  /// An error with another address of the same programme. Where no network leads anywhere, that is what is wrong.
  func error(_ error: NetworkError, of url: StationAddress) -> PlaybackFault {
    PlaybackFault(Self.mayLackNetwork(error) && !hasWay ? .noNetwork : error, of: url)
  }

  /// Whether a lost network looks like this error too.
  private static func mayLackNetwork(_ error: NetworkError) -> Bool {
    switch error {
    case .hostNotFound, .nameServer, .connectTimeout, .refused, .reset, .closedEarly, .proxyFailed: true
    default: false
    }
  }

  var noNetwork: PlaybackFault { error(.noNetwork) }

  /// The network is another one now.
  var changedNetwork: PlaybackFault { fault(.networkChanged) }

  /// A connection that brought nothing for so long.
  func silent(_ silence: Duration) -> PlaybackFault {
    hasWay ? fault(.silence(seconds: Int(silence.seconds))) : noNetwork
  }

  /// A station whose list says that nothing more comes.
  var ended: PlaybackFault { fault(.closed) }

  /// A list that names nothing new for so long.
  func still(_ time: Duration) -> PlaybackFault { fault(.stillList(seconds: Int(time.seconds))) }

  /// A connection that the machine slept through.
  var slept: PlaybackFault { fault(.slept) }

  /// A connection that ended before its answer did.
  func broken(_ end: TransferEnd) -> PlaybackFault {
    let reason = if case .failed(let error) = end { error } else { NetworkError.closedEarly }
    return error(reason)
  }

  /// A connection that ended, be it as it should.
  func closed(_ end: TransferEnd) -> PlaybackFault {
    if case .failed = end { return broken(end) }
    return fault(.closed)
  }

  /// An answer with a status of 400 or more.
  func refusal(_ status: Int) -> PlaybackFault {
    fault(.refused(hasCredentials: hasCredentials), status: status)
  }

  /// The same for something at another address, which a list names.
  func refusal(_ status: Int, of part: StationAddress) -> PlaybackFault {
    let address = try? WebAddress(part)
    return PlaybackFault(
      .refusedPart, url: part.description, at: address.map { PlaybackFault.Location(host: $0.host) }, status: status)
  }

  // MARK: What came

  var noAudio: PlaybackFault { fault(.noAudio) }

  /// What came cannot be decoded, as its key is no key or another one.
  var undecodable: PlaybackFault { fault(.undecodable) }

  /// What came is recognised, and not played.
  func notPlayed(_ kind: RefusedKind) -> PlaybackFault { fault(.notPlayed(kind)) }

  /// Packets too long for the ring, for which so many blocks would do.
  func fewBlocks(_ needed: Int) -> PlaybackFault { fault(.fewBlocks(needed: needed)) }

  /// An episode that is a feed.
  var feedInFeed: PlaybackFault { fault(.feedInFeed) }

  /// A list or a feed of which hardly anything comes; that may pass.
  var tooSlow: PlaybackFault { fault(.slowList) }

  /// A list that comes steadily, and for too long.
  var endless: PlaybackFault { fault(.endlessList) }

  /// A list that names nothing.
  var emptyList: PlaybackFault { fault(.emptyList) }

  /// A feed that names nothing.
  var emptyFeed: PlaybackFault { fault(.emptyFeed) }

  /// A file that is another one now.
  var changedFile: PlaybackFault { fault(.fileChanged) }

  var wrongPart: PlaybackFault { fault(.otherPart) }

  /// That a file's server knows no parts, which is no fault but takes time.
  var readsThrough: NetNotice { .readThrough(url: shownURL, host: host) }

  private func fault(_ detail: PlaybackFault.Detail, status: Int = 0) -> PlaybackFault {
    PlaybackFault(detail, url: shownURL, at: host.map { PlaybackFault.Location(host: $0) }, status: status)
  }
}
