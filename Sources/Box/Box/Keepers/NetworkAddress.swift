import Glibc

enum NetworkAddress {
  /// The first IPv4 address that is not a loopback address (`getifaddrs(3)`).
  static var own: String? {
    addresses(AF_INET) { interface, address in
      guard interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0 else { return nil }
      var text = [CChar](repeating: 0, count: 64)
      guard getnameinfo(address, socklen_t(MemoryLayout<sockaddr_in>.size), &text, 64, nil, 0, NI_NUMERICHOST) == 0
      else { return nil }
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }.first
  }

  /// Hardware addresses of all network cards, such as "02:fc:00:00:00:01" (`packet(7)`).
  static var hardware: [String] {
    addresses(AF_PACKET) { _, address in
      // The literals are the offsets of sll_halen and sll_addr in `sockaddr_ll`.
      let bytes = UnsafeRawBufferPointer(start: address, count: 20)
      guard bytes[11] == 6, bytes[12..<18].contains(where: { $0 != 0 }) else { return nil }
      return bytes[12..<18].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    }
  }

  /// Returns the texts of all addresses of a family (`getifaddrs(3)`).
  private static func addresses(
    _ family: Int32, _ text: (ifaddrs, UnsafeMutablePointer<sockaddr>) -> String?
  ) -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    return sequence(first: first) { $0?.pointee.ifa_next }.compactMap { $0?.pointee }.compactMap { interface in
      guard let address = interface.ifa_addr, address.pointee.sa_family == sa_family_t(family) else { return nil }
      return text(interface, address)
    }
  }
}
