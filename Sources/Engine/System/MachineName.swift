import Glibc

/// A machine's name.
public struct MachineName: Equatable, Sendable {
  /// The name, possibly with a domain; empty if unknown.
  public let text: String

  /// Creates a name.
  public init(_ text: String) { self.text = text }

  /// This machine's name (`gethostname(2)`).
  public static var own: MachineName {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return MachineName("") }
    return MachineName(String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// The name that Avahi announces: lower case, in the domain "local"; "bakelite.local" if empty or "localhost".
  public var local: String {
    let name = text.prefix { $0 != "." }.lowercased()
    return (name.isEmpty || name == "localhost" ? "bakelite" : name) + ".local"
  }
}
