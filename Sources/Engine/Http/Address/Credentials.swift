/// A name and password for Basic authentication (RFC 7617). Neither is ever printed.
public struct Credentials: Hashable, Sendable {
  /// The user's name.
  public let name: String

  /// The password in clear text.
  public let password: String

  /// Creates credentials.
  public init(name: String, password: String) {
    self.name = name
    self.password = password
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always "…:…".
  public var description: String { "…:…" }

  /// Equal to `description`.
  public var debugDescription: String { description }

  /// Empty, so that `dump` shows neither name nor password.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
