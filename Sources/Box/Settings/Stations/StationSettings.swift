import Units

/// One station of `stations.toml`: name, address and options.
public struct StationSettings: Equatable, Sendable {
  /// The kind of content at an address (R1.4).
  public enum AddressKind: String, Sendable, CaseIterable {
    /// Audio, even if the content looks like a playlist.
    case raw
    case pls
    case m3u
  }

  /// The rule that decides whether a programme has an end (R1.5).
  public enum Mode: Sendable {
    /// The server's response decides.
    case automatic
    /// The programme never ends.
    case live
    /// The programme ends.
    case file
  }

  /// The name; 1 … 100 characters on one line.
  public var name: String
  /// The address with its original spelling; http, https, icy or file.
  public var url: StationAddress
  /// The rule for the programme's end, from the keys `live` and `file`.
  public var mode = Mode.automatic
  /// The kind of content; nil to detect it.
  public var type: AddressKind?
  /// `NAME:PASSWORD`, or `@PATH`, the path of a file with `NAME:PASSWORD` in its first line.
  public var user: String?
  /// The User-Agent header; nil to send Bakelite's own.
  public var userAgent: String?
  /// Further headers, "Name: value".
  public var headers: [String] = []
  /// Further query parameters, "key=value".
  public var query: [String] = []
  /// Maximum bit rate of an HLS variant in kbit/s; nil for no limit.
  public var maxBitRate: Int?
  /// The encoding of titles, a name for iconv(3). If nil, titles are UTF-8, or windows-1252 if they are not valid
  /// UTF-8.
  public var metadataEncoding: String?
  /// The address of AudioVault's XML titles (R6.3).
  public var xmlMetadataURL: StationAddress?
  /// Delay of the audio after the times in the XML titles, in seconds.
  public var xmlDelay: Double?
  /// The time zone of the times in the XML titles, such as "EST".
  public var stationTimeZone: String?
  /// The address of Live365's XML titles (R6.4).
  public var live365MetadataURL: StationAddress?
  /// True if the radio requests titles from the server by UDP (R6.5); nil counts as false.
  public var usesAudioCast: Bool?
  /// The station's id in the directory; nil if the station is not from the directory.
  public var directoryID: String?
  /// True if the address came from a directory. An address from a directory must not lead into the owner's network. The
  /// same rule applies to a station with `directoryID`.
  public var isFromDirectory = false
  /// Further addresses of the station, best first, such as an address from before a move.
  public var alternatives: [StationAlternative] = []
  /// Entries that play while the station is silent (F4); nil for those of `[continuity]`, empty for none.
  public var fallback: [String]?
  /// The level of dead air in dBFS; nil for that of `[continuity]`.
  public var deadAirDecibels: Double?
  /// The duration of dead air in seconds, 0 to detect none; nil for that of `[continuity]`.
  public var deadAirSeconds: Double?
  /// True for speech: its pauses do not count as dead air. Nil counts as false.
  public var isTalk: Bool?
  /// Relative loudness in dB.
  public var gain: Double?
  /// True if the radio compensates drift between the station's clock and the sink's clock; nil for the default.
  public var drift: Bool?

  /// Creates a station without options.
  public init(name: String, url: StationAddress) {
    self.name = name
    self.url = url
  }

  /// Creates a station from an address as text.
  public init(name: String, url: String) { self.init(name: name, url: StationAddress(url)) }

  /// A copy without secrets: addresses without passwords, no `headers`. `user` stays only if it names a file, and
  /// `query` if no parameter is a secret.
  public var withoutSecrets: StationSettings {
    var plain = self
    plain.url = url.withoutSecrets
    plain.xmlMetadataURL = xmlMetadataURL?.withoutSecrets
    plain.live365MetadataURL = live365MetadataURL?.withoutSecrets
    plain.user = user?.hasPrefix("@") == true ? user : nil
    plain.headers = []
    if query.contains(where: StationAddress.isSecret) { plain.query = [] }
    plain.alternatives = alternatives.map(\.withoutSecrets)
    plain.fallback = fallback?.map { StationFallback($0).description }
    return plain
  }
}

extension StationSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Name and address, without secrets.
  public var description: String { "\(name): \(url)" }

  /// Equals `description`.
  public var debugDescription: String { description }

  /// A mirror without children, because user, headers, queries and further addresses may be secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension StationAlternative {
  /// Copies the address and its options from a station.
  public init(of station: StationSettings) {
    self.init(station.url)
    user = station.user
    headers = station.headers
    query = station.query
  }
}
