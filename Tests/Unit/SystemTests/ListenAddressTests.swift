import Glibc
import System
import Testing
import Units

struct ListenAddressTests {
  /// True if this machine has IPv6.
  private static let hasIPv6: Bool = {
    let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
  }()

  private static func serves(_ host: String, _ port: UInt16) -> Bool {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let found else { return false }
    defer { freeaddrinfo(found) }
    let descriptor = socket(found.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0
  }

  @Test("The unspecified IPv6 address serves both families", .enabled(if: hasIPv6, "needs IPv6"))
  func both() throws {
    let socket = try #require(ListenAddress("[::]:0")).listen()
    defer { close(socket.descriptor) }
    #expect(Self.serves("127.0.0.1", socket.port) && Self.serves("::1", socket.port))
  }

  @Test("IPv6 leaves IPv4 to another address at the same port, in any order", .enabled(if: hasIPv6, "needs IPv6"))
  func apart() throws {
    for texts in [["0.0.0.0", "[::]"], ["[::]", "127.0.0.1"]] {
      // A port that is free in both families.
      let probe = try #require(ListenAddress("[::]:0")).listen()
      close(probe.descriptor)
      let addresses = texts.compactMap { ListenAddress("\($0):\(probe.port)") }
      var open: [Int32] = []
      defer { for descriptor in open { close(descriptor) } }
      for address in addresses { open.append(try address.listen(among: addresses).descriptor) }
      #expect(open.count == 2 && Self.serves("127.0.0.1", probe.port) && Self.serves("::1", probe.port))
    }
  }

  @Test("A single IPv4 address serves IPv4 alone, and ::1 serves IPv6 alone", .enabled(if: hasIPv6, "needs IPv6"))
  func single() throws {
    let four = try #require(ListenAddress("0.0.0.0:0")).listen()
    defer { close(four.descriptor) }
    #expect(Self.serves("127.0.0.1", four.port) && !Self.serves("::1", four.port))
    let six = try #require(ListenAddress("[::1]:0")).listen()
    defer { close(six.descriptor) }
    #expect(Self.serves("::1", six.port) && !Self.serves("127.0.0.1", six.port))
  }
}
