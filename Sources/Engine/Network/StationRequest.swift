import Framing
import System
import Units

/// What to tune to, and how.
public struct StationRequest: Equatable, Sendable {
  /// Whether a programme ends.
  public enum Mode: Sendable {
    /// A finite Content-Length with `Accept-Ranges` and no ICY headers is a file.
    case automatic
    /// It never ends.
    case live
    /// It ends.
    case file
  }

  /// What an address leads to.
  public enum AddressKind: Sendable, Equatable {
    /// What its content says.
    case automatic
    /// Audio, whatever it looks like.
    case raw
    /// A playlist of this kind.
    case playlist(PlaylistKind)
  }

  /// How long a station is tried again.
  public enum Retry: Sendable, Equatable {
    /// For ever, once it has played.
    case forever
    /// So many times in a row.
    case times(Int)
  }

  /// The address as a person wrote it; local files as `file://`.
  public var url: StationAddress
  /// Who named the address, where it is an item of a list or a feed; nil where the listener gave it.
  public var referral: Referral?
  /// Where the address may lead while `referral` is nil: anywhere where the listener gave it himself.
  public var reach = Reach.anywhere
  /// Live or file.
  public var mode = Mode.automatic
  /// Whether it may be an item, such as an announcement, of which its server tells neither that nor a length: what then
  /// comes faster than its sound, and ends, is over and not asked for again. Else it is a station.
  public var mayBeItem = false
  /// Audio or playlist.
  public var addressKind = AddressKind.automatic
  /// How long it is tried again.
  public var retry = Retry.forever
  /// So long a station that has not played yet is tried (R4.3).
  public var patience = Duration(seconds: Defaults.firstPatience)
  /// Whether a live station is kept at its distance from live; nil: as the radio's settings say (N7).
  public var isSteered: Bool?
  /// Where a file begins to be heard; a live station knows no such place.
  public var start = StreamTime.zero
  /// The `User-Agent`.
  public var userAgent = "Bakelite"
  /// Further headers, "Name: value", for the address's own host and for the stream that its playlist names.
  public var headers: [String] = []
  /// Further query parameters, "key=value", for the same.
  public var query: [String] = []
  /// For Basic authentication, for the same.
  public var credentials: Credentials?
  /// The encoding of titles, a name that iconv(3) knows; nil: UTF-8, else windows-1252.
  public var metadataEncoding: String?
  /// Where it tells titles beside its stream.
  public var externalMetadata = ExternalMetadata()
  /// So long without data, and the connection is made anew.
  public var dataTimeout = Duration(seconds: Defaults.dataTimeout)
  /// The most bits a second that an HLS station's variant should have, where it has several; nil: any number.
  public var maxBitRate: Int?
  /// How far a live station may run ahead of the sound before it is slowed down, where that is more than `HoldRule`
  /// says.
  public var liveAhead = StreamTime.zero
  /// Whether a live station goes on into a ring that is full of what was not heard, which drops the oldest (R2.6); else
  /// it has to wait.
  public var isContinuous = false

  /// A request for an address, all else as usual.
  public init(url: StationAddress) { self.url = url }

  /// The same for an address that somebody typed.
  public init(url: String) { self.url = StationAddress(url) }

  /// A request for a file of this machine. A path that does not begin with "/" starts in the working directory of the
  /// process, as it is now. A file that cannot be read is told by an event, as any other address.
  public init(path: String) { self.init(url: WebAddress.fileURL(absolutePath(path))) }
}

extension StationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The address without its secrets.
  public var description: String { url.description }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// No parts: headers, queries and the feeds of titles may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
