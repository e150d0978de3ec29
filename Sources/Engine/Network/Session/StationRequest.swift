import Framing
import Http
import System
import Units

/// Address to tune to, with options.
public struct StationRequest: Equatable, Sendable {
  /// Mode of a programme: with or without an end.
  public enum Mode: Sendable {
    /// Decided by the response: a file has a Content-Length and `Accept-Ranges`, but no ICY headers.
    case automatic
    /// Without an end.
    case live
    /// With an end.
    case file
  }

  /// Kind of content at an address.
  public enum AddressKind: Sendable, Equatable {
    /// Detected from the content.
    case automatic
    /// Audio, without detection.
    case raw
    /// A playlist of this kind.
    case playlist(PlaylistKind)
  }

  /// Limit of retries.
  public enum Retry: Sendable, Equatable {
    /// Without a limit, once the station has played.
    case forever
    /// At most that many retries in a row.
    case times(Int)
  }

  /// Address as written by a person; local files as `file://`.
  public var url: StationAddress
  /// List or feed that named the address; nil if given by the listener.
  public var referral: AddressOrigin?
  /// Permitted targets of the address if `referral` is nil. The listener's own address may lead anywhere.
  public var reach = AddressPolicy.anywhere
  /// Live or file mode.
  public var mode = Mode.automatic
  /// True if the stream may be an item, such as an announcement, without a sign in the response head. If such a stream
  /// ends after arriving faster than real time, it is complete and not requested again.
  public var mayBeItem = false
  /// Kind of content: audio or playlist.
  public var addressKind = AddressKind.automatic
  /// Limit of retries.
  public var retry = Retry.forever
  /// Maximum time to try a station that has not played yet (R4.3).
  public var patience = Duration(seconds: Defaults.firstPatience)
  /// True to keep a live station at its distance from live; nil for the radio's setting (N7).
  public var isSteered: Bool?
  /// Start position of a file; ignored for a live station.
  public var start = StreamTime.zero
  /// `User-Agent` header.
  public var userAgent = "Bakelite"
  /// Additional headers, "Name: value", for the address's own host and for the stream named by its playlist.
  public var headers: [String] = []
  /// Additional query parameters, "key=value", for the same hosts.
  public var query: [String] = []
  /// Name and password for Basic authentication, for the same hosts.
  public var credentials: Credentials?
  /// Other addresses of the programme, the preferred first; at most `AlternativeAddress.maxCount` are tried (F1).
  public var alternatives: [AlternativeAddress] = []
  /// Encoding of titles, by its iconv(3) name; nil for UTF-8, or windows-1252 if the bytes are not UTF-8.
  public var metadataEncoding: String?
  /// Source of titles outside the stream.
  public var externalMetadata = ExternalMetadata()
  /// Maximum time without data before a reconnect.
  public var dataTimeout = Duration(seconds: Defaults.dataTimeout)
  /// Preferred maximum bit rate of an HLS variant, in bit/s; nil for no limit.
  public var maxBitRate: Int?
  /// Maximum undecoded audio of a live station before its server is paused, if more than the limit of `HoldRule`.
  public var liveAhead = StreamTime.zero
  /// True if a full ring may drop the oldest unplayed audio of a live station (R2.6). If false, the server is paused.
  public var isContinuous = false

  /// Creates a request with default options.
  public init(url: StationAddress) { self.url = url }

  /// Creates a request for a typed address.
  public init(url: String) { self.url = StationAddress(url) }

  /// Creates a request for a local file. A relative path starts in the current working directory. An unreadable file is
  /// reported by an event, like any other address.
  public init(path: String) { self.init(url: WebAddress.fileURL(absolutePath(path))) }
}

extension StationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Address without secrets.
  public var description: String { url.description }

  /// Equals `description`.
  public var debugDescription: String { description }

  /// Empty: headers, queries and title feeds may contain secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
