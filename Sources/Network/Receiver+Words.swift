import Framing
import Units

// What is told of trouble, in words and kinds.

extension Receiver {
  func shown(_ text: String?) -> String? { text.map { DisplayText.clean($0) } }
  /// What is asked for, as it may be shown.
  var shownURL: String { shown(currentURL) }
  /// What is asked for.
  var currentURL: StationAddress { candidates?.current.address.url ?? request.url }

  private func shown(_ url: StationAddress) -> String {
    ((try? WebAddress(url, allowsFile: true))?.url ?? url).description
  }
  var host: String { candidates?.current.address.host ?? "The station" }

  func trouble(_ error: NetworkError, _ url: StationAddress) -> Trouble {
    Trouble(fault(of: error), url: shown(url), message: error.sentence(for: url))
  }

  /// Where no network leads anywhere, that is what is wrong.
  private func fault(of error: NetworkError) -> PlaybackFault {
    switch error {
    case .hostNotFound, .nameServer, .connectTimeout, .refused, .reset, .closedEarly, .proxyFailed:
      hasWay ? error.fault : .noNetwork
    default: error.fault
    }
  }

  /// Whether this machine has a network that may lead to the station.
  var hasWay: Bool { isLoopback || LinkProbe.hasRoute() }

  private var isLoopback: Bool { host == "localhost" || host.hasPrefix("127.") || host == "::1" || host == "[::1]" }

  /// A connection that brought nothing for so long.
  func silent(_ silence: MonotonicTime) -> Trouble {
    guard hasWay else { return noNetwork }
    let seconds = Int(silence.seconds)
    return Trouble(.silence, url: shownURL, message: "\(host) sent nothing for \(seconds) s.")
  }

  /// A connection that the machine slept through.
  var slept: Trouble {
    Trouble(.disconnected, url: shownURL, message: "The connection to \(host) is from before the machine slept.")
  }

  var noNetwork: Trouble { trouble(.noNetwork, currentURL) }

  var noAudio: Trouble {
    Trouble(.notAudio, url: shownURL, message: "\(shownURL) holds no MP3 or AAC; check the address of the station.")
  }

  func notPlayed(_ kind: RefusedKind) -> Trouble {
    Trouble(PlaybackFault(kind), url: shownURL, message: "\(shownURL): \(kind.sentence).")
  }

  /// An episode that is a feed; nil where none was asked for. A feed that names a feed could go on for ever.
  var feedInFeed: Trouble? {
    guard request.referral?.isFeed == true else { return nil }
    let message = "The episode \(shownURL) is no sound but a podcast again; tell the podcast."
    return Trouble(.notAudio, url: shownURL, message: message)
  }

  /// A list or a feed of which hardly anything comes; that may pass.
  var tooSlow: Trouble {
    Trouble(
      .slowPlaylist, url: shownURL, message: "The playlist \(shownURL) comes too slowly; try again later.")
  }

  /// A list that comes steadily, and for too long.
  var endless: Trouble {
    let message = "The playlist \(shownURL) does not come to an end; check its address."
    return Trouble(.badAnswer, url: shownURL, message: message)
  }

  func broken(_ end: TransferEnd) -> Trouble {
    let error = if case .failed(let error) = end { error } else { NetworkError.closedEarly }
    return trouble(error, currentURL)
  }

  func closed(_ end: TransferEnd) -> Trouble {
    if case .failed = end { return broken(end) }
    return Trouble(.disconnected, url: shownURL, message: "\(host) closed the connection.")
  }

  func refusal(_ status: Int) -> Trouble {
    let message =
      switch status {
      case 401 where request.credentials != nil:
        "\(host) does not take the name and the password that it was given for this station (401); check them."
      case 401, 407:
        "\(host) wants a name and a password for this station (\(status)); give them with --user, or as its user in "
          + "stations.toml."
      case 403: "\(host) does not let you listen to this station (403); ask the station."
      case 404, 410: "\(host) has no station at \(shownURL) (\(status)); check the address."
      case 500...: "\(host) cannot serve the station now (\(status)); try again later."
      default: "\(host) refuses the station (\(status)); check the address."
      }
    return Trouble(PlaybackFault(status: status), url: shownURL, message: message, status: status)
  }
}
