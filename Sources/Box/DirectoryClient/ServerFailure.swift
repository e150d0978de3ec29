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

  /// What happened at an address, as a sentence.
  public func sentence(for url: StationAddress) -> String {
    switch self {
    case .network(let error): error.sentence(for: url)
    case .status(let code): "\(url) answered \(code)."
    case .silent: "\(url) sent nothing for \(Int(ServerVisit.patience.seconds)) s."
    case .slow: "\(url) was too slow."
    case .content(let error): isFinal ? error.description : "\(url): \(error)"
    case .fewer(let count, let old):
      "\(url) has \(count) stations, less than half of the \(old) of the copy, which stays; --mirror takes any number."
    case .ended: "Ended before the list was there; the copy stays as it was."
    }
  }
}
