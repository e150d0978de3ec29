import Blocks
import Framing
import Http

extension PlaybackFault {
  /// Encodes the fault, its cause first, since a text without room is cut.
  func encode(to encoder: inout NoticeEncoder) {
    let detail = CodedDetail(detail)
    for number in [status, location?.port ?? 0, detail.code.rawValue, detail.number] { encoder.append(number) }
    for text in [detail.text, url, location?.host, location?.path] { encoder.append(text) }
  }

  init(from decoder: inout NoticeDecoder) {
    let (status, port) = (decoder.int(), decoder.int())
    let (code, number) = (CodedDetail.Code(rawValue: decoder.int()), decoder.int())
    let text = decoder.text()
    let detail = code.map { CodedDetail(code: $0, number, text: text).detail }
    let url = decoder.text() ?? ""
    let (host, path) = (decoder.text(), decoder.text())
    self.init(
      detail ?? .error(.internal(code: 0)), url: url, at: host.map { Location(host: $0, port: port, path: path) },
      status: status)
  }
}

private struct CodedDetail {
  enum Code: Int {
    case networkChanged, silence, slept, closed, refused, noAudio, undecodable, notPlayed, feedInFeed, slowList
    case endlessList, emptyList, emptyFeed, fileChanged, otherPart, stillList, refusedPart, fewBlocks
    // Cases of `NetworkError`
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
      case .stillList(let seconds): Self(code: .stillList, seconds)
      case .refusedPart: Self(code: .refusedPart)
      case .slept: Self(code: .slept)
      case .closed: Self(code: .closed)
      case .refused(let hasCredentials): Self(code: .refused, hasCredentials ? 1 : 0)
      case .noAudio: Self(code: .noAudio)
      case .undecodable: Self(code: .undecodable)
      case .notPlayed(let kind): Self(code: .notPlayed, text: kind.rawValue)
      case .fewBlocks(let needed): Self(code: .fewBlocks, needed)
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

  var detail: PlaybackFault.Detail {
    switch code {
    case .networkChanged: .networkChanged
    case .silence: .silence(seconds: number)
    case .stillList: .stillList(seconds: number)
    case .refusedPart: .refusedPart
    case .slept: .slept
    case .closed: .closed
    case .refused: .refused(hasCredentials: number != 0)
    case .noAudio: .noAudio
    case .undecodable: .undecodable
    case .notPlayed: text.flatMap { RefusedKind(rawValue: $0) }.map { .notPlayed($0) } ?? .noAudio
    case .fewBlocks: .fewBlocks(needed: number)
    case .feedInFeed: .feedInFeed
    case .slowList: .slowList
    case .endlessList: .endlessList
    case .emptyList: .emptyList
    case .emptyFeed: .emptyFeed
    case .fileChanged: .fileChanged
    case .otherPart: .otherPart
    case .badURL: .error(.badURL)
    case .badScheme: .error(.badScheme(text ?? ""))
    case .badHeader: .error(.badHeader)
    case .hostNotFound: .error(.hostNotFound)
    case .nameServer: .error(.nameServer)
    case .noNetwork: .error(.noNetwork)
    case .unreachable: .error(.unreachable)
    case .connectionRefused: .error(.refused)
    case .connectTimeout: .error(.connectTimeout)
    case .proxyFailed: .error(.proxyFailed)
    case .tls: .error(.tls(NetworkError.TLSFault(rawValue: number) ?? .badCertificate))
    case .reset: .error(.reset)
    case .closedEarly: .error(.closedEarly)
    case .tooManyRedirects: .error(.tooManyRedirects)
    case .badRedirect: .error(.badRedirect)
    case .outOfReach: .error(.outOfReach(AddressRange(rawValue: number) ?? .reserved))
    case .refusedPort: .error(.refusedPort(number))
    case .onlyLists: .error(.onlyLists)
    case .compressed: .error(.compressed)
    case .badAnswer: .error(.badAnswer)
    case .cancelled: .error(.cancelled)
    case .localFile: .error(.localFile(errno: Int32(truncatingIfNeeded: number)))
    case .outOfMemory: .error(.outOfMemory)
    case .internalError: .error(.internal(code: Int32(truncatingIfNeeded: number)))
    }
  }
}
