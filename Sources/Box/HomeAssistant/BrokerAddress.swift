import Glibc
import Http

struct BrokerAddress: Equatable {
  let text: String
  let isIPv6: Bool

  static let maxCount = 4

  /// Returns the addresses of a host in order of use (getaddrinfo(3), getnameinfo(3)). Blocks up to half a minute if
  /// name servers are slow.
  static func find(_ host: String) throws(BrokerFault) -> [BrokerAddress] {
    var hints = addrinfo()
    (hints.ai_family, hints.ai_socktype) = (AF_UNSPEC, Int32(SOCK_STREAM.rawValue))
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &found)
    guard code == 0 else { throw code == EAI_AGAIN || code == EAI_SYSTEM ? .noNameServer : .noSuchHost }
    defer { freeaddrinfo(found) }
    var addresses: [BrokerAddress] = []
    var entry = found
    while let info = entry?.pointee, addresses.count < maxCount {
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

  /// True if the address is on this machine or in the owner's networks. False if a translator maps the address to IPv4.
  var isOwn: Bool {
    if AddressRange.isTranslated(literal: text) { return false }
    return switch AddressRange(literalSeenHere: text) {
    case .loopback, .linkLocal, .privateUse, .unspecified: true
    // Other customers of the provider use this range too. Only the part on this machine's link is the owner's.
    case .shared: AddressRange.isOnLink(literal: text)
    case .global, .reserved, nil: false
    }
  }
}
