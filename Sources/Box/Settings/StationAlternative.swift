import Units

/// Another address of a station, with what is told to its host alone.
public struct StationAlternative: Equatable, Sendable {
  /// The address as it is written; http, https, icy or file.
  public var url: StationAddress
  /// `NAME:PASSWORD`, or `@PATH` of a file whose first line that is.
  public var user: String?
  /// Further headers, "Name: value".
  public var headers: [String] = []
  /// Further query parameters, "key=value".
  public var query: [String] = []

  /// A station has as many at most.
  public static let most = 16

  /// An address without options.
  public init(_ url: StationAddress) { self.url = url }

  /// The address of a station, with what belongs to it.
  public init(of station: StationSettings) {
    url = station.url
    (user, headers, query) = (station.user, station.headers, station.query)
  }

  /// The same without user, password and query in its address, and without headers and query; where `user` names a
  /// file, that stays.
  var withoutSecrets: StationAlternative {
    var plain = StationAlternative(url.withoutSecrets)
    plain.user = user?.hasPrefix("@") == true ? user : nil
    return plain
  }
}

extension StationAlternative: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The address, without secrets.
  public var description: String { "\(url)" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// No parts: user, headers and query may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
