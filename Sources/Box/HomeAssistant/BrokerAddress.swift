import Glibc
import Network

/// An address of a broker's host.
struct BrokerAddress: Equatable {
  /// Numeric.
  let text: String
  let isIPv6: Bool

  /// As many are tried, one after the other.
  static let most = 4

  /// The addresses of a host in the order in which they are to be tried (getaddrinfo(3), getnameinfo(3)). The name
  /// servers may take half a minute, for which this waits.
  ///
  /// - Throws: `noSuchHost`, `noNameServer`.
  static func find(_ host: String) throws(BrokerFault) -> [BrokerAddress] {
    var hints = addrinfo()
    (hints.ai_family, hints.ai_socktype) = (AF_UNSPEC, Int32(SOCK_STREAM.rawValue))
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &found)
    guard code == 0 else { throw code == EAI_AGAIN || code == EAI_SYSTEM ? .noNameServer : .noSuchHost }
    defer { freeaddrinfo(found) }
    var addresses: [BrokerAddress] = []
    var entry = found
    while let info = entry?.pointee, addresses.count < most {
      entry = info.ai_next
      guard let address = BrokerAddress(info), !addresses.contains(address) else { continue }
      addresses.append(address)
    }
    guard !addresses.isEmpty else { throw .noSuchHost }
    return addresses
  }

  private init?(_ info: addrinfo) {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard [AF_INET, AF_INET6].contains(info.ai_family),
      getnameinfo(info.ai_addr, info.ai_addrlen, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    isIPv6 = info.ai_family == AF_INET6
  }

  /// Whether it lies on this machine or in a network of its owner's. What stands for an address of IPv4 that somebody
  /// else translates does not.
  var isOwn: Bool {
    if AddressRange.isTranslated(literal: text) { return false }
    return switch AddressRange(literalSeenHere: text) {
    case .loopback, .linkLocal, .privateUse, .unspecified: true
    // Strangers share a provider's network, but for the part that this machine is on.
    case .shared: AddressRange.isOnLink(literal: text)
    case .global, .reserved, nil: false
    }
  }
}
