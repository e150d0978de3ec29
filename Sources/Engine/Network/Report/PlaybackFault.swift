import Framing
import Http
import Units

/// The reason why a station or a file cannot be played or continued. Found on the net thread, shown on the display.
///
/// Stores facts; `sentence` is made when the fault is shown.
public struct PlaybackFault: Error, Equatable, Sendable {
  /// The event that caused the fault.
  public let detail: Detail
  /// The address concerned, without secrets.
  public let url: String
  /// Target of that address; nil if the address is invalid.
  public let location: Location?
  /// HTTP status; 0 without a response.
  public let status: Int

  /// Creates a fault about `url`, which is shown and must not contain secrets.
  public init(_ detail: Detail, url: String, at location: Location? = nil, status: Int = 0) {
    self.detail = detail
    self.url = url
    self.location = location
    self.status = status
  }

  /// The category of the event.
  public var category: Category { cause.category }

  /// The event that caused a fault.
  public enum Detail: Equatable, Sendable {
    case error(NetworkError)
    case networkChanged
    case silence(seconds: Int)
    /// The list of an HLS station has named no new segment for that time.
    case stillList(seconds: Int)
    /// The connection dates from before the machine slept.
    case slept
    case closed
    /// HTTP status of 400 or more. `hasCredentials`: true if a name and a password were sent.
    case refused(hasCredentials: Bool)
    /// HTTP status of 400 or more for a part named by a list, such as an HLS segment or its key.
    case refusedPart
    /// The content is not a known audio format.
    case noAudio
    /// The content looks like audio, but cannot be decoded.
    case undecodable
    /// The content is recognised, but not supported.
    case notPlayed(RefusedKind)
    /// Four packets of this length do not fit into the ring; `needed` blocks suffice.
    case fewBlocks(needed: Int)
    /// A podcast names another podcast as an episode.
    case feedInFeed
    case slowList
    /// A list arrives steadily, but too long.
    case endlessList
    case emptyList
    case emptyFeed
    case fileChanged
    /// The server sent another part of a file than requested.
    case otherPart
  }

  /// The target of an address, as used in a sentence.
  public struct Location: Equatable, Sendable {
    /// The host; empty for a local file.
    public let host: String
    /// The port; 0 for a local file or if the sentence does not mention the port.
    public let port: Int
    /// Path of a local file; nil for other addresses.
    public let path: String?

    /// Creates the location of a port on a host, or of a local file.
    public init(host: String, port: Int = 0, path: String? = nil) {
      (self.host, self.port, self.path) = (host, port, path)
    }
  }

  /// The category of the event (R5).
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
  init(_ error: NetworkError, of url: StationAddress) {
    let address = try? WebAddress(url, allowsFile: true)
    self.init(
      .error(error), url: (address?.url ?? url).description,
      at: address.map { Location(host: $0.host, port: $0.port, path: $0.isFile ? $0.filePath : nil) })
  }
}
