import System

/// The host names of the box. Requests for another host are refused, even at the same address (DNS rebinding).
struct OwnNames {
  private let machine: MachineName
  private let domains: () -> SearchDomains

  /// Creates the names. `domains`: called only for a name that is not the machine's.
  init(_ machine: MachineName = .own, _ domains: @escaping () -> SearchDomains = { SearchDomains() }) {
    (self.machine, self.domains) = (machine, domains)
  }

  static func name(of place: SocketAddress) -> String { place.isLoopback ? "localhost" : MachineName.own.local }

  /// Returns true if a request's Host is a name of the box, or the address of the connection. The port must be the
  /// connection's port, or missing.
  func contains(_ authority: String, at own: SocketAddress) -> Bool {
    guard let (name, port) = Self.parts(of: authority), port == nil || port == own.port else { return false }
    if name.hasPrefix("[") {
      guard name.hasSuffix("]"), let bytes = SocketAddress.bytes(of: String(name.dropFirst().dropLast())) else {
        return false
      }
      return bytes == own.bytes && !bytes.isEmpty
    }
    if let bytes = SocketAddress.bytes(of: name) { return bytes == own.bytes }
    let host = machine.text.lowercased()
    let short = String(host.prefix { $0 != "." })
    let names = [host, short, machine.local, "bakelite.local", "localhost"]
    if names.contains(where: { !$0.isEmpty && $0 == name }) { return true }
    guard !short.isEmpty, name.hasPrefix(short + ".") else { return false }
    return domains().all.contains { "\(short).\($0)" == name }
  }

  static func isSame(origin: String, as authority: String, isEncrypted: Bool) -> Bool {
    let scheme = isEncrypted ? "https://" : "http://"
    guard origin.lowercased().hasPrefix(scheme), let one = parts(of: String(origin.dropFirst(scheme.count))),
      let other = parts(of: authority)
    else { return false }
    let usual: UInt16 = isEncrypted ? 443 : 80
    return one.name == other.name && (one.port ?? usual) == (other.port ?? usual)
  }

  /// Splits a host and an optional port; the host becomes lower case. Returns nil if invalid.
  private static func parts(of authority: String) -> (name: String, port: UInt16?)? {
    guard authority.utf8.count <= 300 else { return nil }
    let text = authority.lowercased()
    let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
    let name = text[..<(end ?? text.endIndex)]
    let rest = end.map { text[$0...] } ?? ""
    guard !name.isEmpty, !rest.isEmpty else { return name.isEmpty ? nil : (String(name), nil) }
    let digits = rest.dropFirst()
    guard rest.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
      return nil
    }
    return (String(name), port)
  }
}
