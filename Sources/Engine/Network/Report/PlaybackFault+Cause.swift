import Framing
import Http

extension PlaybackFault {
  /// The cause for the listener, derived from `detail`.
  public var cause: Cause {
    switch detail {
    case .error(let error): error.cause
    case .networkChanged, .silence, .stillList: .silence
    case .slept, .closed, .otherPart: .disconnected
    case .refused, .refusedPart: Cause(status: status)
    case .noAudio, .undecodable, .feedInFeed: .notAudio
    case .notPlayed(let kind): Cause(kind)
    case .fewBlocks: .fewBlocks
    case .slowList: .slowPlaylist
    case .endlessList: .badAnswer
    case .emptyList, .emptyFeed: .badPlaylist
    case .fileChanged: .fileChanged
    }
  }

  /// The cause of a fault, for display.
  ///
  /// The raw value is the name in `radio_status`.
  public enum Cause: String, CaseIterable, Sendable {
    /// This machine has no network, or no route to the host.
    case noNetwork
    case noSuchHost
    case noNameServer
    case connectionRefused
    case noAnswer
    /// The connection is open, but delivers no data.
    case silence
    case disconnected
    case proxyFailed
    case certificateNotYetValid
    case badCertificate
    case noSecureConnection
    /// HTTP status 401 or 407.
    case passwordNeeded
    /// HTTP status 404 or 410.
    case notFound
    /// Any other HTTP status 4xx.
    case forbidden
    /// HTTP status 5xx.
    case serverError
    /// The address or a redirect is invalid or not allowed.
    case badAddress
    case unknownScheme
    case badPlaylist
    case slowPlaylist
    /// The response is not HTTP, or its body was not requested in that form.
    case badAnswer
    case fileChanged
    case fileUnreadable
    case notAudio
    case webPage
    // Recognised formats that are not supported.
    case encryptedHls, xheAac, dolby, alac, otherCodec, dash, mp4, windowsMedia, wav, webm, musepack, dsd
    /// The packets are too long for the number of blocks in the ring.
    case fewBlocks
    /// Bakelite itself failed or ran out of memory.
    case internalFault
  }
}

extension PlaybackFault.Cause {
  /// Most recognised formats have the same name in both types; the others are not audio.
  init(_ kind: RefusedKind) {
    self =
      switch kind {
      case .m4a: .mp4
      case .wma: .windowsMedia
      case .html: .webPage
      case .wave64, .sun, .coreAudio, .creativeVoice, .sphere, .headlessOgg: .otherCodec
      default: Self(rawValue: kind.rawValue) ?? .notAudio
      }
  }

  /// `status`: 400 or more.
  init(status: Int) {
    self =
      switch status {
      case 401, 407: .passwordNeeded
      case 404, 410: .notFound
      case ..<500: .forbidden
      default: .serverError
      }
  }

  /// The category of the event (R5). A refused connection is not a timeout, since the host replied.
  var category: PlaybackFault.Category {
    switch self {
    case .noNetwork: .noNetwork
    case .noSuchHost, .noNameServer, .noAnswer, .silence, .disconnected, .slowPlaylist: .timeoutExceeded
    case .connectionRefused, .proxyFailed, .certificateNotYetValid, .badCertificate, .noSecureConnection, .badAddress,
      .badPlaylist, .internalFault:
      .urlNotFound
    case .passwordNeeded, .notFound, .forbidden, .serverError: .httpError
    case .fileUnreadable: .missingContent
    case .unknownScheme, .badAnswer, .fileChanged, .notAudio, .webPage, .encryptedHls, .xheAac, .dolby,
      .alac, .otherCodec, .dash, .mp4, .windowsMedia, .wav, .webm, .musepack, .dsd, .fewBlocks:
      .badContent
    }
  }

  /// True if the server or the network is at fault, so that another file of the same list would fail as well.
  public var isBeyondItem: Bool {
    switch self {
    case .noNetwork, .noSuchHost, .noNameServer, .connectionRefused, .noAnswer, .silence, .disconnected, .proxyFailed,
      .slowPlaylist, .serverError:
      true
    default: false
    }
  }
}

extension NetworkError {
  var cause: PlaybackFault.Cause {
    switch self {
    case .noNetwork, .namesDenied, .unreachable, .signIn: .noNetwork
    case .hostNotFound: .noSuchHost
    case .nameServer: .noNameServer
    case .refused: .connectionRefused
    case .connectTimeout: .noAnswer
    case .reset, .closedEarly, .cancelled: .disconnected
    case .proxyFailed: .proxyFailed
    case .tls(.notYetValid): .certificateNotYetValid
    case .tls(.handshake): .noSecureConnection
    case .tls: .badCertificate
    case .badURL, .badHeader, .tooManyRedirects, .badRedirect, .outOfReach, .refusedPort: .badAddress
    case .badScheme: .unknownScheme
    case .onlyLists: .badPlaylist
    case .compressed, .badAnswer: .badAnswer
    case .localFile: .fileUnreadable
    case .outOfMemory, .internal: .internalFault
    }
  }
}
