/// Who may do what: what a client may as it comes, and what a password adds.
public struct ControlAccess: Sendable {
  /// Passwords, and what each of them permits.
  var passwords: [(password: String, permission: Permission)] = []
  /// What clients of the Unix socket may without a password: its mode lets only a group in.
  public var local: Permission = .all
  /// What clients of TCP may without a password; nil: everything where there are no passwords, else nothing.
  public var remote: Permission?

  /// No passwords.
  public init() {}

  /// One password that permits everything.
  public init(password: String) { passwords = [(password, .all)] }

  /// What a client may as it comes.
  func initial(isLocal: Bool) -> Permission { isLocal ? local : remote ?? (passwords.isEmpty ? .all : []) }

  /// What a password permits; nil where it is none. As slow for one as for another.
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
