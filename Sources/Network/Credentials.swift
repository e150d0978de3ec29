/// A name and password for Basic authentication (RFC 7617); however it is printed, the password stays hidden.
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
  /// The name alone, such as "anna:…".
  public var description: String { "\(name):…" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// No parts, so that `dump` shows no password either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
