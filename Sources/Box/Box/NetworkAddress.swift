import Glibc

/// Where the box is reached.
enum NetworkAddress {
  /// The first address of IPv4 that is not the loopback's (`getifaddrs(3)`).
  static var own: String? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return nil }
    defer { freeifaddrs(first) }
    var entry = first
    while let interface = entry?.pointee {
      entry = interface.ifa_next
      guard let address = interface.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
        interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      var text = [CChar](repeating: 0, count: 64)
      guard getnameinfo(address, socklen_t(MemoryLayout<sockaddr_in>.size), &text, 64, nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return nil
  }
}
