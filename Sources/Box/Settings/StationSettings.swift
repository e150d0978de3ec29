import Units

/// What `stations.toml` says of one station: its name, its address, and how to ask and hear it.
public struct StationSettings: Equatable, Sendable {
  /// What the address leads to (R1.4).
  public enum AddressKind: String, Sendable, CaseIterable {
    /// Audio, whatever it looks like.
    case raw
    /// A PLS list.
    case pls
    /// An M3U list.
    case m3u
  }

  /// Whether a programme ends (R1.5).
  public enum Mode: Sendable {
    /// What the server says decides.
    case automatic
    /// It never ends.
    case live
    /// It ends.
    case file
  }

  /// What people call it; 1 … 100 characters on one line.
  public var name: String
  /// The address as it is written; http, https, icy or file.
  public var url: StationAddress
  /// Whether it ends; `live = true` or `file = true`.
  public var mode = Mode.automatic
  /// What the address leads to; nil: what its content says.
  public var type: AddressKind?
  /// `NAME:PASSWORD`, or `@PATH` of a file whose first line that is.
  public var user: String?
  /// The User-Agent to send; nil: Bakelite's own.
  public var userAgent: String?
  /// Further headers, "Name: value".
  public var headers: [String] = []
  /// Further query parameters, "key=value".
  public var query: [String] = []
  /// The most kilobits a second that an HLS station's variant should have; nil: any number.
  public var maxBitRate: Int?
  /// The encoding of titles, a name that iconv(3) knows; nil: UTF-8, else windows-1252.
  public var metadataEncoding: String?
  /// Where AudioVault's XML tells titles (R6.3).
  public var xmlMetadataURL: StationAddress?
  /// What the stream is behind the XML's times, in seconds.
  public var xmlDelay: Double?
  /// The XML's time zone, such as "EST".
  public var stationTimeZone: String?
  /// Where Live365's XML tells titles (R6.4).
  public var live365MetadataURL: StationAddress?
  /// Whether its server is asked for titles by UDP (R6.5); nil: it is not.
  public var usesAudioCast: Bool?
  /// The station's id in the directory; nil: it did not come from there.
  public var directoryID: String?
  /// Whether a directory named the address, which then leads into no network of the owner's; so does one with an id.
  public var isFromDirectory = false
  /// Where the station is received too, the best first: such as an address that it had before it moved.
  public var alternatives: [StationAlternative] = []
  /// Loudness beside other stations, in dB.
  public var gain: Double?
  /// Whether the sink's clock is matched; nil: as usual.
  public var drift: Bool?

  /// A station without options.
  public init(name: String, url: StationAddress) {
    self.name = name
    self.url = url
  }

  /// The same with an address that somebody typed.
  public init(name: String, url: String) { self.init(name: name, url: StationAddress(url)) }

  /// The same station with another value of a key, as a file calls it, or with several where it is a list; one empty
  /// value takes the key away.
  ///
  /// - Throws: `SettingsError` in the words that a file's error has.
  public func changed(_ key: String, to values: [String]) throws(SettingsError) -> StationSettings {
    var lines = StationText.table(self).split(separator: "\n").map(String.init)
    if TextRule.isName(key) { lines.removeAll { $0.hasPrefix("\(key) = ") } }
    if values != [""] {
      lines.append("\(TextRule.isName(key) ? key : "unknown") = \(StationText.literal(values, for: key))")
    }
    let list = StationList(try TomlDocument(Array(lines.joined(separator: "\n").utf8), file: name))
    guard list.problems.isEmpty, let station = list.entries.first?.station else {
      throw list.problems.first ?? SettingsError(name, "there is no key \(key.quoted)")
    }
    return station
  }

  /// As a file has it: its `[[station]]` and its keys, a line each.
  public var toml: String { StationText.table(self) + "\n" }

  /// The same without user, password and query in its addresses, and without `user`, `headers` and `query`; where
  /// `user` names a file, that stays.
  public var withoutSecrets: StationSettings {
    var plain = self
    plain.url = url.withoutSecrets
    plain.xmlMetadataURL = xmlMetadataURL?.withoutSecrets
    plain.live365MetadataURL = live365MetadataURL?.withoutSecrets
    plain.user = user?.hasPrefix("@") == true ? user : nil
    (plain.headers, plain.query) = ([], [])
    plain.alternatives = alternatives.map(\.withoutSecrets)
    return plain
  }

  /// What no station file may hold, in the words of an error; nil where all is well. Whoever makes a station of what a
  /// person typed asks first.
  public var problem: String? {
    let text = StationText.table(self)
    do throws(SettingsError) {
      let document = try TomlDocument(Array(text.utf8), file: "")
      let list = StationList(document)
      return list.problems.first?.problem
    } catch {
      return error.problem
    }
  }
}

extension StationSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Name and address, without secrets.
  public var description: String { "\(name): \(url)" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// No parts: the user, headers, queries and further addresses may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
