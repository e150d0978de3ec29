import Directory
import Http
import Units

/// The reason for a request without a usable result from a directory server.
public enum ServerFailure: Error, Equatable, Sendable {
  /// The server was not reached, or the connection broke.
  case network(NetworkError)
  case status(Int)
  /// The server sent nothing for ten seconds.
  case silent
  /// The request reached its time limit.
  case slow
  /// The response is not a list, or the file cannot be written.
  case content(DirectoryError)
  /// The list has less than half the stations of the local copy.
  case fewer(Int, than: Int)
  /// The user cancelled.
  case ended

  /// True if no other server can help.
  public var isFinal: Bool {
    switch self {
    case .content(.busy), .content(.unwritable), .ended: true
    default: false
    }
  }

  /// True if the server may have a valid list in the other format.
  var isOfContent: Bool {
    switch self {
    case .content(let error): !isFinal && error != .cutOff
    case .status(let code): [400, 404, 406].contains(code)
    default: false
    }
  }

  var isOfStatus: Bool {
    if case .status = self { return true }
    return false
  }

  /// Returns a sentence about the failure and the address.
  public func sentence(for url: StationAddress) -> String {
    switch self {
    case .network(let error): Self.sentence(error, url)
    case .status(let code): "\(url) answered \(code)."
    case .silent: "\(url) sent nothing for \(Int(ServerVisit.patience.seconds)) s."
    case .slow: "\(url) was too slow."
    case .content(let error): isFinal ? error.description : "\(url): \(Self.fact("\(error)", before: ": "))"
    case .fewer(let count, let old):
      "\(url) has \(count) stations, fewer than half of the \(old) in the copy; --mirror accepts any number."
    case .ended: "Ended before the list was there; the copy stays as it was."
    }
  }

  /// Returns a sentence about a transfer error, with advice only if a person can act on it.
  private static func sentence(_ error: NetworkError, _ url: StationAddress) -> String {
    switch error {
    case .badRedirect: "\(url) redirects to an address that is none of the directory's servers."
    case .hostNotFound: (NameServers.denyAllNames() ? .namesDenied : error).sentence(for: url)
    case .tls(.expired): "\(fact(error.sentence(for: url), before: "; ").dropLast()); check this computer's clock."
    case .outOfReach(_), .refusedPort(_), .badURL, .badScheme(_), .badAnswer, .compressed, .tooManyRedirects, .refused,
      .connectTimeout, .reset, .closedEarly, .tls(.wrongHost), .tls(.badCertificate), .tls(.handshake):
      fact(error.sentence(for: url), before: "; ")
    default: error.sentence(for: url)
    }
  }

  /// Returns the part of a sentence before `mark`. The advice after it is for a station's address or a manual retry.
  private static func fact(_ sentence: String, before mark: String) -> String {
    var end = sentence.endIndex
    while end > sentence.startIndex, !sentence[..<end].hasSuffix(mark) { end = sentence.index(before: end) }
    return end > sentence.startIndex ? sentence[..<end].dropLast(mark.count) + "." : sentence
  }
}
