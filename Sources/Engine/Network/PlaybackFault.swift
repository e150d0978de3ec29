import Framing
import Units

/// Why a station or a file cannot be played, or cannot go on: found out on the net thread, said on the display.
///
/// It holds what a sentence tells as data; `sentence` is made where it is shown.
public struct PlaybackFault: Error, Equatable, Sendable {
  /// What happened.
  public let detail: Detail
  /// The address that it is about, without secrets.
  public let url: String
  /// Where that address leads; nil where it is none.
  public let location: Location?
  /// The HTTP status, where there was one; else 0.
  public let status: Int

  /// A fault with an address that is shown as `url`.
  public init(_ detail: Detail, url: String, at location: Location? = nil, status: Int = 0) {
    (self.detail, self.url, self.location, self.status) = (detail, url, location, status)
  }

  /// The event that tells of it.
  public var category: Category { cause.category }

  /// What happened.
  public enum Detail: Equatable, Sendable {
    /// A request, or the address itself, failed.
    case error(NetworkError)
    /// The network is another one now.
    case networkChanged
    /// A connection brought nothing for so many seconds.
    case silence(seconds: Int)
    /// The list of an HLS station has named nothing new for so many seconds.
    case stillList(seconds: Int)
    /// The machine slept through the connection.
    case slept
    /// The server closed the connection.
    case closed
    /// The server answered with a status of 400 or more; whether it was given a name and a password.
    case refused(hasCredentials: Bool)
    /// The same for a part of what comes, which a list names, such as an HLS segment or its key.
    case refusedPart
    /// What comes is no sound that Bakelite knows.
    case noAudio
    /// What comes looks like sound, and cannot be decoded.
    case undecodable
    /// What comes is recognised, and not played.
    case notPlayed(RefusedKind)
    /// A packet is so long that the ring cannot hold four of them; so many blocks would do.
    case fewBlocks(needed: Int)
    /// A podcast names another one as an episode.
    case feedInFeed
    /// Hardly anything of a list or a feed comes.
    case slowList
    /// A list comes steadily, and for too long.
    case endlessList
    /// A list names nothing that can be played.
    case emptyList
    /// A podcast has no episode that can be played.
    case emptyFeed
    /// A file is another one now.
    case fileChanged
    /// The server sent another part of a file than was asked for.
    case otherPart
  }

  /// Where an address leads, as a sentence names it.
  public struct Location: Equatable, Sendable {
    /// The host; empty for a local file.
    public let host: String
    /// The port; 0 for a local file, and where no sentence tells it.
    public let port: Int
    /// A local file's path; nil where it is none.
    public let path: String?

    /// A port of a host, or a file.
    public init(host: String, port: Int = 0, path: String? = nil) {
      (self.host, self.port, self.path) = (host, port, path)
    }
  }

  /// The event that tells of it (R5).
  public enum Category: Sendable {
    case timeoutExceeded
    case noNetwork
    case urlNotFound
    case httpError
    case missingContent
    case badContent
  }
}

extension PlaybackFault {
  /// What an error with an address is to the listener.
  init(_ error: NetworkError, of url: StationAddress) {
    let address = try? WebAddress(url, allowsFile: true)
    self.init(
      .error(error), url: (address?.url ?? url).description,
      at: address.map { Location(host: $0.host, port: $0.port, path: $0.isFile ? $0.filePath : nil) })
  }
}
