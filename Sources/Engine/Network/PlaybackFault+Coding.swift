import Blocks
import Framing

extension PlaybackFault {
  /// Writes the fault into a notice, numbers first: a text that finds no room is cut.
  func encode(to encoder: inout NoticeEncoder) {
    let detail = CodedDetail(detail)
    for number in [status, location?.port ?? 0, detail.code.rawValue, detail.number] { encoder.append(number) }
    for text in [cause.rawValue, url, location?.host, location?.path, detail.text] { encoder.append(text) }
  }

  /// Reads it back.
  init(from decoder: inout NoticeDecoder) {
    let (status, port) = (decoder.int(), decoder.int())
    let (code, number) = (CodedDetail.Code(rawValue: decoder.int()), decoder.int())
    let cause = decoder.text().flatMap { Cause(rawValue: $0) } ?? .internalFault
    let url = decoder.text() ?? ""
    let (host, path) = (decoder.text(), decoder.text())
    let detail = code.map { CodedDetail(code: $0, number, text: decoder.text()).detail }
    self.init(
      cause, detail ?? .error(.internal(code: 0)), url: url,
      at: host.map { Location(host: $0, port: port, path: path) }, status: status)
  }
}

/// A detail as a notice carries it: what it is, and a number and a text that belong to it.
private struct CodedDetail {
  enum Code: Int {
    case networkChanged, silence, slept, closed, refused, noAudio, undecodable, notPlayed, feedInFeed, slowList
    case endlessList, emptyList, emptyFeed, fileChanged, otherPart
    // Errors
    case badURL, badScheme, badHeader, hostNotFound, nameServer, noNetwork, unreachable, connectionRefused
    case connectTimeout, proxyFailed, tls, reset, closedEarly, tooManyRedirects, badRedirect, outOfReach, refusedPort
    case onlyLists, compressed, badAnswer, cancelled, localFile, outOfMemory, internalError
  }

  let code: Code
  let number: Int
  let text: String?

  init(code: Code, _ number: Int = 0, text: String? = nil) {
    (self.code, self.number, self.text) = (code, number, text)
  }

  init(_ detail: PlaybackFault.Detail) {
    self =
      switch detail {
      case .error(let error): Self(error)
      case .networkChanged: Self(code: .networkChanged)
      case .silence(let seconds): Self(code: .silence, seconds)
      case .slept: Self(code: .slept)
      case .closed: Self(code: .closed)
      case .refused(let hasCredentials): Self(code: .refused, hasCredentials ? 1 : 0)
      case .noAudio: Self(code: .noAudio)
      case .undecodable: Self(code: .undecodable)
      case .notPlayed(let kind): Self(code: .notPlayed, text: kind.rawValue)
      case .feedInFeed: Self(code: .feedInFeed)
      case .slowList: Self(code: .slowList)
      case .endlessList: Self(code: .endlessList)
      case .emptyList: Self(code: .emptyList)
      case .emptyFeed: Self(code: .emptyFeed)
      case .fileChanged: Self(code: .fileChanged)
      case .otherPart: Self(code: .otherPart)
      }
  }

  private init(_ error: NetworkError) {
    self =
      switch error {
      case .badURL: Self(code: .badURL)
      case .badScheme(let scheme): Self(code: .badScheme, text: scheme)
      case .badHeader: Self(code: .badHeader)
      case .hostNotFound: Self(code: .hostNotFound)
      case .nameServer: Self(code: .nameServer)
      case .noNetwork: Self(code: .noNetwork)
      case .unreachable: Self(code: .unreachable)
      case .refused: Self(code: .connectionRefused)
      case .connectTimeout: Self(code: .connectTimeout)
      case .proxyFailed: Self(code: .proxyFailed)
      case .tls(let fault): Self(code: .tls, fault.rawValue)
      case .reset: Self(code: .reset)
      case .closedEarly: Self(code: .closedEarly)
      case .tooManyRedirects: Self(code: .tooManyRedirects)
      case .badRedirect: Self(code: .badRedirect)
      case .outOfReach(let range): Self(code: .outOfReach, range.rawValue)
      case .refusedPort(let port): Self(code: .refusedPort, port)
      case .onlyLists: Self(code: .onlyLists)
      case .compressed: Self(code: .compressed)
      case .badAnswer: Self(code: .badAnswer)
      case .cancelled: Self(code: .cancelled)
      case .localFile(let errno): Self(code: .localFile, Int(errno))
      case .outOfMemory: Self(code: .outOfMemory)
      case .internal(let failure): Self(code: .internalError, Int(failure))
      }
  }

  /// What was coded.
  var detail: PlaybackFault.Detail {
    switch code {
    case .networkChanged: .networkChanged
    case .silence: .silence(seconds: number)
    case .slept: .slept
    case .closed: .closed
    case .refused: .refused(hasCredentials: number != 0)
    case .noAudio: .noAudio
    case .undecodable: .undecodable
    case .notPlayed: text.flatMap { RefusedKind(rawValue: $0) }.map { .notPlayed($0) } ?? .noAudio
    case .feedInFeed: .feedInFeed
    case .slowList: .slowList
    case .endlessList: .endlessList
    case .emptyList: .emptyList
    case .emptyFeed: .emptyFeed
    case .fileChanged: .fileChanged
    case .otherPart: .otherPart
    case .badURL, .badScheme, .badHeader, .hostNotFound, .nameServer, .noNetwork, .unreachable, .connectionRefused,
      .connectTimeout, .proxyFailed, .tls, .reset, .closedEarly, .tooManyRedirects, .badRedirect, .outOfReach,
      .refusedPort, .onlyLists, .compressed, .badAnswer, .cancelled, .localFile, .outOfMemory, .internalError:
      .error(error)
    }
  }

  /// The error that was coded; an internal one where it was none.
  private var error: NetworkError {
    switch code {
    case .badURL: .badURL
    case .badScheme: .badScheme(text ?? "")
    case .badHeader: .badHeader
    case .hostNotFound: .hostNotFound
    case .nameServer: .nameServer
    case .noNetwork: .noNetwork
    case .unreachable: .unreachable
    case .connectionRefused: .refused
    case .connectTimeout: .connectTimeout
    case .proxyFailed: .proxyFailed
    case .tls: .tls(NetworkError.TLSFault(rawValue: number) ?? .badCertificate)
    case .reset: .reset
    case .closedEarly: .closedEarly
    case .tooManyRedirects: .tooManyRedirects
    case .badRedirect: .badRedirect
    case .outOfReach: .outOfReach(AddressRange(rawValue: number) ?? .reserved)
    case .refusedPort: .refusedPort(number)
    case .onlyLists: .onlyLists
    case .compressed: .compressed
    case .badAnswer: .badAnswer
    case .cancelled: .cancelled
    case .localFile: .localFile(errno: Int32(truncatingIfNeeded: number))
    case .outOfMemory: .outOfMemory
    default: .internal(code: Int32(truncatingIfNeeded: number))
    }
  }
}
