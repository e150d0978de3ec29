import Glibc
import System

/// Selects the proxy that the environment names for an address, by the rules of `curl(1)`. With a proxy, the proxy
/// resolves the host's name, and the connection goes to the proxy's address.
struct ProxyChoice {
  private let variable: (String) -> String?

  init(variable: @escaping (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
    self.variable = variable
  }

  func proxy(for address: WebAddress) -> String? {
    // `HTTP_PROXY` is ignored: a CGI web server sets this variable from a request header.
    let names = [address.scheme + "_proxy"] + (address.scheme == "https" ? ["HTTPS_PROXY"] : [])
    guard let proxy = first(of: names + ["all_proxy", "ALL_PROXY"]), !isExempt(address.host) else { return nil }
    return proxy
  }

  private func first(of names: [String]) -> String? { names.compactMap(variable).first { !$0.isEmpty } }

  /// True if `no_proxy` names the host or one of its parent domains.
  private func isExempt(_ host: String) -> Bool {
    guard let list = first(of: ["no_proxy", "NO_PROXY"]) else { return false }
    let host = Self.bare(host[...])
    return list.split { $0 == "," || $0 == " " }.contains { entry in
      let name = Self.bare(entry.drop { $0 == "." })
      if entry == "*" || host == name { return true }
      return entry.contains("/") ? Self.isBlock(entry, holding: host) : !name.isEmpty && host.hasSuffix("." + name)
    }
  }

  /// True if an address block such as 192.168.0.0/16 contains the address `host`.
  private static func isBlock(_ block: Substring, holding host: String) -> Bool {
    let parts = block.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let bits = Int(parts[1]), (0...128).contains(bits),
      let network = SocketAddress.literalBytes(of: bare(parts[0])), let address = SocketAddress.literalBytes(of: host)
    else { return false }
    return address.count == network.count
      && address.indices.allSatisfy { place in
        let shift = 8 - max(0, min(8, bits - place * 8))
        return Int(address[place]) >> shift == Int(network[place]) >> shift
      }
  }

  private static func bare(_ host: Substring) -> String {
    let name = host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host
    return (name.hasSuffix(".") ? name.dropLast() : name).lowercased()
  }
}
