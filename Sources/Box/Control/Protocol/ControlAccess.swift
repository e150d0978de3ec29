/// The permissions of clients without a password, and of each password.
public struct ControlAccess: Sendable {
  var passwords: [(password: String, permission: Permission)] = []
  /// The permission of Unix-socket clients without a password; the socket's mode admits only a group.
  public var local: Permission = .all
  /// The permission of TCP clients without a password; nil: everything if no passwords are set, else nothing.
  public var remote: Permission?

  /// Creates an access without passwords.
  public init() {}

  /// Creates an access with one password that permits everything.
  public init(password: String) { passwords = [(password, .all)] }

  func initial(isLocal: Bool) -> Permission { isLocal ? local : remote ?? (passwords.isEmpty ? .all : []) }

  /// Returns a password's permission; nil if wrong. The comparison time does not depend on the matching bytes.
  func permission(for password: String) -> Permission? {
    var found: Permission?
    for (known, permission) in passwords where !known.isEmpty && Self.isSame(Array(known.utf8), Array(password.utf8)) {
      found = permission
    }
    return found
  }

  private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    var difference = one.count ^ other.count
    for index in other.indices { difference |= Int(other[index] ^ (one.isEmpty ? 0 : one[index % one.count])) }
    return difference == 0
  }
}
