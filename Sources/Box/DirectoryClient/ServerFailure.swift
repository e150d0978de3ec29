import Directory
import Network
import Units

/// Why a server of the directory gave nothing that can be used.
public enum ServerFailure: Error, Equatable, Sendable {
  /// It was not reached, or the connection broke.
  case network(NetworkError)
  /// It answered with this status.
  case status(Int)
  /// Nothing came for ten seconds.
  case silent
  /// It sent so slowly that its time was over.
  case slow
  /// What it sent is no list, or the file cannot be written.
  case content(DirectoryError)
  /// Its list has less than half the stations of the copy that is there.
  case fewer(Int, than: Int)
  /// The person who asked has had enough.
  case ended

  /// Whether no other server can help.
  public var isFinal: Bool {
    switch self {
    case .content(.busy), .content(.unwritable), .ended: true
    default: false
    }
  }

  /// Whether the same server may have the same list in another format.
  var isOfContent: Bool {
    switch self {
    case .content(let error): !isFinal && error != .cutOff
    case .status(let code): [400, 404, 406].contains(code)
    default: false
    }
  }

  /// Whether it answered by a status alone.
  var isOfStatus: Bool {
    if case .status = self { return true }
    return false
  }

  /// What happened at an address, as a sentence.
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

  /// What broke, and what to do where a person can do something: another server is asked without that.
  private static func sentence(_ error: NetworkError, _ url: StationAddress) -> String {
    switch error {
    case .badRedirect: "\(url) redirects to an address that is none of the directory's servers."
    case .tls(.expired): "\(fact(error.sentence(for: url), before: "; ").dropLast()); check this computer's clock."
    case .outOfReach(_), .refusedPort(_), .badURL, .badScheme(_), .badAnswer, .compressed, .tooManyRedirects, .refused,
      .connectTimeout, .reset, .closedEarly, .tls(.wrongHost), .tls(.badCertificate), .tls(.handshake):
      fact(error.sentence(for: url), before: "; ")
    default: error.sentence(for: url)
    }
  }

  /// The part of a sentence that says what happened. What it advises behind that is meant for a station's address, or
  /// for a person who asks each server by hand.
  private static func fact(_ sentence: String, before mark: String) -> String {
    var end = sentence.endIndex
    while end > sentence.startIndex, !sentence[..<end].hasSuffix(mark) { end = sentence.index(before: end) }
    return end > sentence.startIndex ? sentence[..<end].dropLast(mark.count) + "." : sentence
  }
}
