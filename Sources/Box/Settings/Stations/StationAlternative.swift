import Units

/// Another address of a station, with the secrets for that address's host.
public struct StationAlternative: Equatable, Sendable {
  /// The address with its original spelling; http, https, icy or file.
  public var url: StationAddress
  /// `NAME:PASSWORD`, or `@PATH`, the path of a file with `NAME:PASSWORD` in its first line.
  public var user: String?
  /// Further headers, "Name: value".
  public var headers: [String] = []
  /// Further query parameters, "key=value".
  public var query: [String] = []

  /// Maximum number of alternatives per station.
  public static let maxCount = 16

  /// Creates an address without options.
  public init(_ url: StationAddress) { self.url = url }

  /// A copy without secrets: the address without its password, no headers. `user` stays if it names a file, and `query`
  /// if no parameter is a secret.
  var withoutSecrets: StationAlternative {
    var plain = StationAlternative(url.withoutSecrets)
    plain.user = user?.hasPrefix("@") == true ? user : nil
    if !query.contains(where: StationAddress.isSecret) { plain.query = query }
    return plain
  }
}

extension StationAlternative: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The address without secrets.
  public var description: String { "\(url)" }

  /// Equals `description`.
  public var debugDescription: String { description }

  /// A mirror without children, because user, headers and query may be secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
