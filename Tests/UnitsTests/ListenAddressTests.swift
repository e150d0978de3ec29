import Testing
import Units

@Suite struct ListenAddressTests {
  @Test(
    "an address to listen on has a numeric host and a port",
    arguments: [
      ("127.0.0.1:6600", "127.0.0.1", true), ("127.1.2.3:1", "127.1.2.3", true), ("localhost:6600", "localhost", true),
      ("[::1]:6600", "::1", true), ("0.0.0.0:6600", "0.0.0.0", false), ("[::]:65535", "::", false),
      ("192.168.1.9:6600", "192.168.1.9", false), ("127.0.0.1", nil, false), ("127.0.0.1:0", "127.0.0.1", true),
      ("127.0.0.1:65536", nil, false), ("127.0.0.1:+1", nil, false), (":6600", nil, false),
      ("127.0.0.256:1", nil, false),
      ("127.evil.example:1", nil, false), ("::1:6600", nil, false), ("radio:6600", nil, false), ("[x]:1", nil, false),
    ] as [(String, String?, Bool)])
  func listen(_ text: String, _ host: String?, _ isLoopback: Bool) {
    let address = ListenAddress(text)
    #expect(address?.host == host)
    if let address {
      #expect(address.isLoopback == isLoopback)
      #expect(address.description == text)
    }
  }
}
