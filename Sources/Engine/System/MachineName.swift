import Glibc

/// What a machine is called.
public struct MachineName: Equatable, Sendable {
  /// Its name as it has it, which may have a domain; "" where it has none.
  public let text: String

  /// A name.
  public init(_ text: String) { self.text = text }

  /// This machine's (`gethostname(2)`).
  public static var own: MachineName {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return MachineName("") }
    return MachineName(String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// What Avahi calls it in the local network: its name without the domain, in small letters. The name of a box stands
  /// for one that is nobody's own.
  public var local: String {
    let name = text.prefix { $0 != "." }.lowercased()
    return (name.isEmpty || name == "localhost" ? "bakelite" : name) + ".local"
  }
}
