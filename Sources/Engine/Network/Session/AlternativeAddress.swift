import Http
import Units

/// Another address of a station's programme, with its own secrets (F1).
public struct AlternativeAddress: Equatable, Sendable {
  /// Address as written by a person.
  public var url: StationAddress
  /// Additional headers, "Name: value", for the address's own host and for the stream named by its playlist.
  public var headers: [String] = []
  /// Additional query parameters, "key=value", for the same hosts.
  public var query: [String] = []
  /// Name and password for Basic authentication, for the same hosts.
  public var credentials: Credentials?

  /// Maximum number of alternatives that are tried.
  public static let maxCount = 16

  /// Creates an address without options.
  public init(url: StationAddress) { self.url = url }
}

extension AlternativeAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Address without secrets.
  public var description: String { url.description }

  /// Equals `description`.
  public var debugDescription: String { description }

  /// Empty: headers and queries may contain secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
