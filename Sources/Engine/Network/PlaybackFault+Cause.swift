import Framing

extension PlaybackFault {
  /// What is wrong; it follows from what happened.
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

  /// What is wrong, as it is told on the display.
  ///
  /// The raw value is its name for programs, as `radio_status` tells it.
  public enum Cause: String, CaseIterable, Sendable {
    /// This machine has no network, or none that leads to the host.
    case noNetwork
    /// The host does not exist.
    case noSuchHost
    /// No name server answers.
    case noNameServer
    /// The host takes no connections at that port.
    case connectionRefused
    /// Nothing answers in time.
    case noAnswer
    /// A connection stands, and nothing comes.
    case silence
    /// The connection was closed, or broke.
    case disconnected
    /// The proxy that the environment names cannot be used.
    case proxyFailed
    /// The certificate is too young for this machine's clock.
    case certificateNotYetValid
    /// The certificate cannot be trusted.
    case badCertificate
    /// Both sides found no way to encrypt.
    case noSecureConnection
    /// 401, 407: the server wants a name and a password.
    case passwordNeeded
    /// 404, 410: the server has no such station.
    case notFound
    /// Any other 4xx.
    case forbidden
    /// 5xx.
    case serverError
    /// The text is no address, or redirects lead to none.
    case badAddress
    /// The address begins with something other than http, https or file.
    case unknownScheme
    /// A list or a feed names nothing that can be played.
    case badPlaylist
    /// A list or a feed comes too slowly.
    case slowPlaylist
    /// What answers is no web server and no station, or sends what nobody asked for.
    case badAnswer
    /// A file is another one than it was when it began to play.
    case fileChanged
    /// A local file cannot be read.
    case fileUnreadable
    /// What comes is no sound.
    case notAudio
    /// What comes is a web page.
    case webPage
    // Kinds of sound that are recognised and not played.
    case encryptedHls, xheAac, dolby, alac, otherCodec, dash, mp4, windowsMedia, wav, aiff, webm, musepack, dsd
    /// Its packets are too long for the blocks that there are.
    case fewBlocks
    /// Bakelite itself failed, or ran out of memory.
    case internalFault
  }
}

extension PlaybackFault.Cause {
  /// What a recognised kind of content is to the listener.
  init(_ kind: RefusedKind) {
    self =
      switch kind {
      case .encryptedHls: .encryptedHls
      case .xheAac: .xheAac
      case .dolby: .dolby
      case .alac: .alac
      case .otherCodec: .otherCodec
      case .dash: .dash
      case .m4a: .mp4
      case .wma: .windowsMedia
      case .wav: .wav
      case .aiff: .aiff
      case .musepack: .musepack
      case .dsd: .dsd
      case .webm: .webm
      case .html: .webPage
      case .compressed, .archive, .image, .pdf: .notAudio
      }
  }

  /// What an HTTP status of 400 or more is to the listener.
  init(status: Int) {
    self =
      switch status {
      case 401, 407: .passwordNeeded
      case 404, 410: .notFound
      case ..<500: .forbidden
      default: .serverError
      }
  }

  /// The event that tells of it (R5). A host that refuses has answered, so that nothing was waited for in vain.
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
      .alac, .otherCodec, .dash, .mp4, .windowsMedia, .wav, .aiff, .webm, .musepack, .dsd, .fewBlocks:
      .badContent
    }
  }

  /// Whether it lies with the server or the network, so that another file of the same list would do no better.
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
  /// What it is to the listener.
  var cause: PlaybackFault.Cause {
    switch self {
    case .noNetwork, .unreachable: .noNetwork
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
