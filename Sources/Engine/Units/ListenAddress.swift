/// An address and a TCP port to listen on: `127.0.0.1:6600`, `[::1]:6600`, `localhost:6600`.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// A numeric address without brackets, or `localhost`.
  public let host: String
  /// The port, 0 … 65,535; 0 selects any free port.
  public let port: UInt16

  /// Parses an address; nil if it is invalid or has no port.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      text[text.index(after: colon)...].utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.contains(":"), host.holdsOnly("0123456789abcdefABCDEF:.") else { return nil }
    } else {
      guard host == "localhost" || Self.isIPv4(host) else { return nil }
    }
    self.host = String(host)
    self.port = port
  }

  /// The parts of a list separated by commas or blanks.
  public static func parts(of text: String) -> [String] {
    text.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
  }

  /// True if the address stands for all IPv6 addresses of this machine.
  private var isAnyIPv6: Bool { host.contains(":") && host.holdsOnly(":0") }

  /// Returns true if the address also serves IPv4: the unspecified IPv6 address does, unless `others` serve IPv4 at its
  /// port.
  public func servesBothFamilies(among others: [ListenAddress]) -> Bool {
    isAnyIPv6 && !others.contains { $0.port == port && !$0.host.contains(":") }
  }

  /// True if only this machine can reach the address.
  public var isLoopback: Bool {
    host == "localhost" || host == "::1" || (Self.isIPv4(host[...]) && host.hasPrefix("127."))
  }

  /// The address in the form that `init` accepts.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  private static func isIPv4(_ text: Substring) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { $0.utf8.count <= 3 && $0.holdsOnly("0123456789") && UInt8($0) != nil }
  }
}

extension StringProtocol {
  func holdsOnly(_ characters: String) -> Bool { utf8.allSatisfy { characters.utf8.contains($0) } }
}
