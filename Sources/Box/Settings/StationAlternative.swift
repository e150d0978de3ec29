import Units

/// Another address of a station, with the secrets for its host.
public struct StationAlternative: Equatable, Sendable {
  /// The address as written; http, https, icy or file.
  public var url: StationAddress
  /// `NAME:PASSWORD`, or `@PATH` of a file with that in its first line.
  public var user: String?
  /// Further headers, "Name: value".
  public var headers: [String] = []
  /// Further query parameters, "key=value".
  public var query: [String] = []

  /// Maximum number of alternatives per station.
  public static let maxCount = 16

  /// Creates an address without options.
  public init(_ url: StationAddress) { self.url = url }

  /// Copies the address and its options from a station.
  public init(of station: StationSettings) {
    url = station.url
    (user, headers, query) = (station.user, station.headers, station.query)
  }

  /// A copy without secrets in its address, and without headers and query. A `user` that names a file stays.
  var withoutSecrets: StationAlternative {
    var plain = StationAlternative(url.withoutSecrets)
    plain.user = user?.hasPrefix("@") == true ? user : nil
    return plain
  }
}

extension StationAlternative: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The address without secrets.
  public var description: String { "\(url)" }

  /// Equals `description`.
  public var debugDescription: String { description }

  /// Without children, because user, headers and query may be secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
