/// A name and password for Basic authentication (RFC 7617); however it is printed, both stay hidden.
public struct Credentials: Hashable, Sendable {
  /// The user's name.
  public let name: String

  /// The password, in clear.
  public let password: String

  /// A name with its password.
  public init(name: String, password: String) {
    self.name = name
    self.password = password
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// "…:…".
  public var description: String { "…:…" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// No parts, so that `dump` shows neither.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
