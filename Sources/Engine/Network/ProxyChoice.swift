import Glibc

/// The proxy that the environment names for an address, by the rules of `curl(1)`: what a name leads to is then the
/// proxy's to find out, and the address that is connected to is the proxy's own.
struct ProxyChoice {
  private let variable: (String) -> String?

  /// Reads variables of the environment by `variable`.
  init(variable: @escaping (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
    self.variable = variable
  }

  /// The proxy for `address`; nil where it is connected to directly.
  func proxy(for address: WebAddress) -> String? {
    // HTTP_PROXY may be a header of a request where a web server starts programs, so it does not count.
    let names = [address.scheme + "_proxy"] + (address.scheme == "https" ? ["HTTPS_PROXY"] : [])
    guard let proxy = first(of: names + ["all_proxy", "ALL_PROXY"]), !isExempt(address.host) else { return nil }
    return proxy
  }

  private func first(of names: [String]) -> String? { names.compactMap(variable).first { !$0.isEmpty } }

  /// Whether `no_proxy` names the host, or a domain that it is in.
  private func isExempt(_ host: String) -> Bool {
    guard let list = first(of: ["no_proxy", "NO_PROXY"]) else { return false }
    let host = Self.bare(host[...])
    return list.split { $0 == "," || $0 == " " }.contains { entry in
      let name = Self.bare(entry.drop { $0 == "." })
      if entry == "*" || host == name { return true }
      return entry.contains("/") ? Self.isBlock(entry, holding: host) : !name.isEmpty && host.hasSuffix("." + name)
    }
  }

  /// Whether a block of addresses such as 192.168.0.0/16 holds the address `host`.
  private static func isBlock(_ block: Substring, holding host: String) -> Bool {
    let parts = block.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let bits = Int(parts[1]), (0...128).contains(bits),
      let network = AddressBytes(bare(parts[0])),
      let address = AddressBytes(host)
    else { return false }
    return address.bytes.count == network.bytes.count
      && address.bytes.indices.allSatisfy { place in
        let shift = 8 - max(0, min(8, bits - place * 8))
        return Int(address.bytes[place]) >> shift == Int(network.bytes[place]) >> shift
      }
  }

  /// In small letters, without brackets and without a last full stop.
  private static func bare(_ host: Substring) -> String {
    let name = host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host
    return (name.hasSuffix(".") ? name.dropLast() : name).lowercased()
  }
}
