import Framing
import Units

/// What can go wrong with what is being asked for, in words and kinds. A value.
struct AddressTroubles {
  /// What is asked for.
  let url: StationAddress
  /// Its host, or what to call it.
  private let host: String
  /// Whether the listener gave a name and a password for it.
  private let hasCredentials: Bool

  /// Troubles with `url` on `host`; nil where that is not known.
  init(_ url: StationAddress, host: String?, hasCredentials: Bool) {
    (self.url, self.host, self.hasCredentials) = (url, host ?? "The station", hasCredentials)
  }

  /// What is asked for, as it may be shown.
  var shownURL: String { Self.shown(url) }

  private static func shown(_ url: StationAddress) -> String {
    ((try? WebAddress(url, allowsFile: true))?.url ?? url).description
  }

  // MARK: The network

  /// Whether this machine has a network that may lead to the station.
  var hasWay: Bool { isLoopback || LinkProbe.hasRoute() }

  private var isLoopback: Bool { host == "localhost" || host.hasPrefix("127.") || host == "::1" || host == "[::1]" }

  /// An error with this address.
  func error(_ error: NetworkError) -> Trouble { self.error(error, of: url) }

  /// An error with another address of the same programme.
  func error(_ error: NetworkError, of url: StationAddress) -> Trouble {
    Trouble(fault(of: error), url: Self.shown(url), message: error.sentence(for: url))
  }

  /// Where no network leads anywhere, that is what is wrong.
  private func fault(of error: NetworkError) -> PlaybackFault {
    switch error {
    case .hostNotFound, .nameServer, .connectTimeout, .refused, .reset, .closedEarly, .proxyFailed:
      hasWay ? error.fault : .noNetwork
    default: error.fault
    }
  }

  var noNetwork: Trouble { error(.noNetwork) }

  /// The network is another one now.
  var changedNetwork: Trouble { trouble(.silence, "The network has changed.") }

  /// A connection that brought nothing for so long.
  func silent(_ silence: Duration) -> Trouble {
    hasWay ? trouble(.silence, "\(host) sent nothing for \(Int(silence.seconds)) s.") : noNetwork
  }

  /// A connection that the machine slept through.
  var slept: Trouble {
    trouble(.disconnected, "The connection to \(host) is from before the machine slept.")
  }

  /// A connection that ended before its answer did.
  func broken(_ end: TransferEnd) -> Trouble {
    let reason = if case .failed(let error) = end { error } else { NetworkError.closedEarly }
    return error(reason)
  }

  /// A connection that ended, be it as it should.
  func closed(_ end: TransferEnd) -> Trouble {
    if case .failed = end { return broken(end) }
    return trouble(.disconnected, "\(host) closed the connection.")
  }

  /// An answer with a status of 400 or more.
  func refusal(_ status: Int) -> Trouble {
    let message =
      switch status {
      case 401 where hasCredentials:
        "\(host) does not take the name and the password that it was given for this station (401); check them."
      case 401, 407:
        "\(host) wants a name and a password for this station (\(status)); give them with --user, or as its user in "
          + "stations.toml."
      case 403: "\(host) does not let you listen to this station (403); ask the station."
      case 404, 410: "\(host) has no station at \(shownURL) (\(status)); check the address."
      case 500...: "\(host) cannot serve the station now (\(status)); try again later."
      default: "\(host) refuses the station (\(status)); check the address."
      }
    return trouble(PlaybackFault(status: status), message, status: status)
  }

  // MARK: What came

  var noAudio: Trouble { trouble(.notAudio, "\(shownURL) holds no MP3 or AAC; check the address of the station.") }

  /// What came is recognised, and not played.
  func notPlayed(_ kind: RefusedKind) -> Trouble {
    trouble(PlaybackFault(kind), "\(shownURL): \(kind.sentence).")
  }

  /// An episode that is a feed.
  var feedInFeed: Trouble {
    trouble(.notAudio, "The episode \(shownURL) is no sound but a podcast again; tell the podcast.")
  }

  /// A list or a feed of which hardly anything comes; that may pass.
  var tooSlow: Trouble { trouble(.slowPlaylist, "The playlist \(shownURL) comes too slowly; try again later.") }

  /// A list that comes steadily, and for too long.
  var endless: Trouble {
    trouble(.badAnswer, "The playlist \(shownURL) does not come to an end; check its address.")
  }

  /// A list that names nothing.
  var emptyList: Trouble {
    trouble(.badPlaylist, "The playlist \(shownURL) names no station that can be played; check its address.")
  }

  /// A feed that names nothing.
  var emptyFeed: Trouble {
    trouble(.badPlaylist, "The podcast \(shownURL) has no episode that can be played; check its address.")
  }

  /// A file that is another one now.
  var changedFile: Trouble {
    trouble(.fileChanged, "\(shownURL) has changed since it began to play; play it again.")
  }

  var wrongPart: Trouble {
    trouble(.disconnected, "\(host) sent another part of the file than was asked for.")
  }

  /// That a file's server knows no parts, which is no trouble but takes time.
  var readsThrough: NetNotice {
    .readThrough(
      url: shownURL,
      message: "\(host) gives no parts of a file, so all before the place that you asked for is read first.")
  }

  private func trouble(_ fault: PlaybackFault, _ message: String, status: Int = 0) -> Trouble {
    Trouble(fault, url: shownURL, message: message, status: status)
  }
}
