/// A server's host and port: `broker.local:1883`, `broker.local`, `192.168.1.2:1883`, `[fe80::1%eth0]:1883`.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
  /// A name, or a numeric address without brackets.
  public let host: String
  /// The port, 1 … 65,535; nil if the address names none.
  public let port: UInt16?

  /// Parses an address; nil if it is invalid.
  public init?(_ text: String) {
    guard text.utf8.count <= 320 else { return nil }
    var (host, rest) = (text[...], Substring())
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      rest = text[text.index(after: end)...]
      guard Self.isIPv6(host) else { return nil }
    } else {
      if let colon = text.firstIndex(of: ":") { (host, rest) = (text[..<colon], text[colon...]) }
      guard Self.isName(host) else { return nil }
    }
    if rest.isEmpty {
      port = nil
    } else {
      let digits = rest.dropFirst()
      guard rest.hasPrefix(":"), digits.holdsOnly("0123456789"), let number = UInt16(digits), number > 0 else {
        return nil
      }
      port = number
    }
    self.host = String(host)
  }

  /// The address in the form that `init` accepts.
  public var description: String {
    (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
  }

  /// Returns true for a host name (RFC 1123, also with "_") or a numeric IPv4 address.
  private static func isName(_ text: Substring) -> Bool {
    guard (1...253).contains(text.utf8.count) else { return false }
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return labels.allSatisfy { (1...63).contains($0.utf8.count) && $0.holdsOnly(letters) && !$0.hasPrefix("-") }
  }

  /// Returns true if all characters may occur in an IPv6 address with a zone; the resolver checks the rest.
  private static func isIPv6(_ text: Substring) -> Bool {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    return parts[0].contains(":") && parts[0].holdsOnly("0123456789abcdefABCDEF:.")
      && (parts.count == 1 || (1...15).contains(parts[1].utf8.count) && parts[1].holdsOnly(letters + "."))
  }

  private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
}
