import System
import Testing
import Units

@testable import Http

/// Ranges of foreign addresses, and the listener's data sent to these addresses.
@Suite struct AddressPolicyTests {
  @Test(
    "An address has its range, in any notation",
    arguments: [
      ("8.8.8.8", AddressRange.global), ("192.0.2.1", .global), ("172.15.0.1", .global), ("172.32.0.1", .global),
      ("100.63.0.1", .global), ("100.128.0.1", .global), ("192.169.0.1", .global), ("223.255.255.255", .global),
      ("127.0.0.1", .loopback), ("127.255.255.254", .loopback), ("::1", .loopback), ("[::1]", .loopback),
      ("::ffff:127.0.0.1", .loopback), ("::127.0.0.1", .loopback), ("64:ff9b::7f00:1", .loopback),
      ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified), ("::", .unspecified), ("::ffff:0.0.0.0", .unspecified),
      ("10.0.0.1", .privateUse), ("172.16.0.1", .privateUse), ("172.31.255.255", .privateUse),
      ("192.168.1.1", .privateUse), ("fc00::1", .privateUse), ("fdff::1", .privateUse), ("fec0::1", .privateUse),
      ("::ffff:192.168.1.1", .privateUse), ("::ffff:0:10.0.0.1", .privateUse), ("2002:a00:1::", .privateUse),
      ("64:ff9b::10.0.0.1", .privateUse), ("64:ff9b:1::1", .privateUse), ("::10.0.0.1", .privateUse),
      ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal), ("fe80::1%eth0", .linkLocal), ("febf::1", .linkLocal),
      ("100.64.0.1", .shared), ("100.127.255.255", .shared), ("::ffff:100.64.0.1", .shared),
      ("192.0.0.8", .reserved), ("198.18.0.1", .reserved), ("224.0.0.1", .reserved), ("255.255.255.255", .reserved),
      ("ff02::1", .reserved), ("2001:db8::1", .global), ("2606:4700::1", .global), ("64:ff9b::8.8.8.8", .global),
    ])
  func ranges(_ text: String, _ range: AddressRange) {
    #expect(AddressRange(literal: text) == range)
  }

  @Test(
    "An address in this machine's network is the owner's",
    arguments: [
      ("2001:db8:5::1", AddressRange.privateUse), ("2001:db8:5::5", .privateUse), ("2001:db8:5:1::1", .global),
      ("2001:db8:7::1", .privateUse), ("2001:db8:8::1", .global), ("203.0.113.14", .privateUse),
      ("203.0.113.9", .privateUse), ("203.0.113.16", .global), ("::ffff:203.0.113.14", .privateUse),
      ("::ffff:203.0.113.16", .global), ("8.8.8.8", .global), ("127.0.0.1", .loopback), ("fe80::1", .linkLocal),
    ])
  func ownNetworks(_ text: String, _ range: AddressRange) throws {
    let links = try [
      ("2001:db8:5::5", "ffff:ffff:ffff:ffff::"), ("203.0.113.9", "255.255.255.248"),
      // A mask from DHCPv6.
      ("2001:db8:7::5", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ].map { address, mask in
      let (own, ones) = (try bytes(address), try bytes(mask))
      return try #require(LinkPrefix(own, mask: ones))
    }
    let other = try bytes(text)
    #expect(AddressRange(bytes: other, links: links) == range)
  }

  @Test(
    "Only an interface's part of a provider's network is near",
    arguments: [
      ("100.64.7.1", true), ("100.64.7.254", true), ("::ffff:100.64.7.1", true), ("100.64.8.1", false),
      ("100.127.7.1", false), ("::ffff:100.64.8.1", false), ("64:ff9b::100.64.7.1", false),
    ])
  func sharedNetworks(_ text: String, _ isNear: Bool) throws {
    let link = try #require(LinkPrefix(try bytes("100.64.7.9"), mask: try bytes("255.255.255.0")))
    let other = try bytes(text)
    #expect(AddressRange(bytes: other, links: [link]) == .shared && AddressRange.isOnLink(other, [link]) == isNear)
  }

  @Test("An address of this machine is in its networks, and a name is not")
  func links() {
    #expect(AddressRange.isOnLink(literal: "127.0.0.1") && !AddressRange.isOnLink(literal: "8.8.8.8"))
    #expect(!AddressRange.isOnLink(literal: "localhost"))
  }

  private func bytes(_ text: String) throws -> [UInt8] { try #require(SocketAddress.literalBytes(of: text)) }

  @Test("The interfaces' networks are known, without the whole internet")
  func interfaces() {
    #expect(LinkProbe.prefixes().contains { $0.contains([127, 0, 0, 1]) })
    #expect(!LinkProbe.prefixes().contains { $0.contains([8, 8, 8, 8]) })
    #expect(LinkPrefix([10, 0, 0, 1], mask: [0, 0, 0, 0]) == nil)
  }

  @Test("A name has no range", arguments: ["localhost", "radio.example", "", "1.2.3", "127.1", "[radio]"])
  func names(_ text: String) {
    #expect(AddressRange(literal: text) == nil)
  }

  @Test("A named address may be in the internet, or in the network of the listener's address")
  func allowedRanges() {
    for home in AddressRange.allCases {
      let reach = AddressPolicy.named(homes: [home], port: 80)
      for range in AddressRange.allCases { #expect(reach.allows(range) == (range == .global || range == home)) }
    }
    for range in AddressRange.allCases { #expect(AddressPolicy.anywhere.allows(range)) }
  }

  @Test("A named address may use web and station ports, and the listener's port")
  func allowedPorts() {
    let reach = AddressPolicy.named(homes: [], port: 25)
    for port in [21, 25, 80, 81, 109, 443, 444, 8_000, 65_535] { #expect(reach.allows(port: port), "\(port)") }
    for port in [0, 1, 20, 22, 24, 26, 79, 110, 143, 442] {
      #expect(!reach.allows(port: port), "\(port)")
      #expect(AddressPolicy.anywhere.allows(port: port))
    }
  }

  @Test(
    "An address in another network is refused at connect, after the look-up",
    arguments: ["localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "[::ffff:127.0.0.1]"])
  func refusedAtConnect(_ host: String) throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n\r\nsound")
    defer { server.close() }
    let url = server.url(host: host)
    let refused: NetworkError?
    do {
      refused = try fetch(url) { $0.reach = .named(homes: [.privateUse], port: nil) }.error
    } catch let error as NetworkError {
      refused = error
    }
    #expect(refused == .outOfReach(.loopback))
    #expect(server.requests.isEmpty)
    if host != "[::ffff:127.0.0.1]" {
      let listener = try fetch(url) { $0.reach = .named(homes: [.loopback], port: nil) }
      #expect(listener.text == "sound")
    }
  }

  @Test("A connection from anywhere is not reused for a restricted request")
  func sharedConnection() throws {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nsound"
    let server = try ScriptedServer([.text(answer), .gate])
    defer { server.close() }
    let engine = try HttpEngine()
    var request = HttpRequest(url: server.url(host: "localhost"))
    request.sharedConnectionAge = Duration(seconds: 60)
    let listener = Listener()
    _ = try engine.start(request, handler: listener)
    #expect(engine.run { listener.isOver } && listener.text == "sound")
    request.reach = .named(homes: [.privateUse], port: nil)
    let refused = Listener()
    _ = try engine.start(request, handler: refused)
    #expect(engine.run { refused.isOver })
    #expect(refused.error == .outOfReach(.loopback) && server.requests.count == 1)
  }

  @Test(
    "A redirect into another network, or to another service, is refused",
    arguments: [
      ("http://10.255.255.1/", NetworkError.outOfReach(.privateUse)),
      ("http://192.168.255.1:8000/", .outOfReach(.privateUse)),
      ("http://169.254.169.254/latest", .outOfReach(.linkLocal)), ("http://[fe80::1]/", .outOfReach(.linkLocal)),
      ("http://[fd00::1]/", .outOfReach(.privateUse)), ("http://100.64.0.1/", .outOfReach(.shared)),
      ("//0.0.0.0/", .outOfReach(.unspecified)), ("http://127.0.0.1:22/", .refusedPort(22)),
      ("http://radio.example:143/", .refusedPort(143)), ("https://radio.example:442/", .refusedPort(442)),
    ])
  func refusedRedirects(_ location: String, _ error: NetworkError) throws {
    let server = try ScriptedServer(
      answering: "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
    defer { server.close() }
    #expect(try fetch(server.url()).error == error)
    #expect(error.sentence(for: StationAddress(server.url())).contains("yourself"))
  }

  @Test("The environment's proxy is used as curl(1) does")
  func proxies() throws {
    let variables = [
      "http_proxy": "http://proxy:1", "HTTPS_PROXY": "http://proxy:2", "HTTP_PROXY": "http://wrong",
      "no_proxy": "localhost,.lan 10.0.0.0/8, ::1,Radio.Example",
    ]
    let choice = ProxyChoice { variables[$0] }
    let cases: [(String, String?)] = [
      ("http://a.example/", "http://proxy:1"), ("https://a.example/", "http://proxy:2"), ("http://localhost/", nil),
      ("http://box.lan:8000/", nil), ("http://lan/", nil), ("http://plan/", "http://proxy:1"),
      ("http://10.1.2.3/", nil), ("http://11.1.2.3/", "http://proxy:1"), ("http://[::1]/", nil),
      ("http://a.radio.example/", nil), ("http://radio.example./", nil),
    ]
    for (url, proxy) in cases { #expect(choice.proxy(for: try WebAddress(url)) == proxy, "\(url)") }
    #expect(ProxyChoice { _ in nil }.proxy(for: try WebAddress("http://a/")) == nil)
    for bits in [Int.min + 7, -1, 129, Int.max] {
      let odd = ["http_proxy": "http://proxy", "no_proxy": "10.0.0.0/\(bits)"]
      #expect(ProxyChoice { odd[$0] }.proxy(for: try WebAddress("http://10.0.0.1/")) == "http://proxy")
    }
    let all = ["ALL_PROXY": "http://all", "NO_PROXY": "*"]
    #expect(ProxyChoice { all[$0] }.proxy(for: try WebAddress("http://a/")) == nil)
    #expect(
      ProxyChoice { $0 == "ALL_PROXY" ? "http://all" : nil }.proxy(for: try WebAddress("http://a/")) == "http://all")
  }

  @Test("Credentials follow a redirect within the host, never from https to http")
  func redirectedSecrets() throws {
    var request = HttpRequest(url: "https://anna:s3cret@radio.example/list?a=b")
    (request.headers, request.query, request.radioHeaders) = (["X-Key: s3cret"], ["token=s3cret"], ["X-Radio: 1"])
    let first = try TransferRequest(request)
    #expect(first.address.query == "a=b&token=s3cret")
    let within = try first.next(to: "/b", home: .global)
    #expect(within.request.headers == request.headers && within.request.credentials?.password == "s3cret")
    #expect(within.request.query.isEmpty && within.address.query == nil)
    for location in ["http://radio.example/b", "https://radio.example:8443/b", "https://other.example/b"] {
      let location = StationAddress(location)
      let away = try first.next(to: location, home: .global)
      #expect(away.request.headers.isEmpty && away.request.credentials == nil && away.address.credentials == nil)
      #expect(away.request.radioHeaders == ["X-Radio: 1"])
      let back = try away.next(to: "https://radio.example/b", home: .global)
      #expect(back.request.headers.isEmpty && back.request.credentials == nil)
    }
    request.url = "http://anna:s3cret@radio.example/list"
    let upward = try TransferRequest(request).next(to: "https://radio.example/list", home: .global)
    #expect(upward.request.headers == request.headers && upward.request.credentials?.name == "anna")
  }

  @Test("A listed address gets credentials for its host, and the stream of the listener's own playlist")
  func entrusted() throws {
    func referral(of owner: String, from source: String, isFeed: Bool = false) throws -> AddressOrigin {
      try AddressOrigin(of: WebAddress(owner), home: .global, from: WebAddress(source), isFeed: isFeed)
    }
    func goes(_ referral: AddressOrigin, to url: String) throws -> Bool { referral.allowsSecrets(try WebAddress(url)) }
    let own = try referral(of: "http://radio.example/x.m3u", from: "http://radio.example/y.m3u")
    #expect(try goes(own, to: "http://radio.example/live") && goes(own, to: "http://cdn.example:8000/live"))
    let redirected = try referral(of: "http://radio.example/x.m3u", from: "http://evil.example/y.m3u")
    #expect(try goes(redirected, to: "http://radio.example/live") && !goes(redirected, to: "http://cdn.example/live"))
    let feed = try referral(of: "http://radio.example/x", from: "http://radio.example/x", isFeed: true)
    #expect(try goes(feed, to: "http://radio.example/1.mp3") && !goes(feed, to: "http://cdn.example/1.mp3"))
    let secure = try referral(of: "https://radio.example/x.m3u", from: "https://radio.example/x.m3u")
    #expect(try goes(secure, to: "https://cdn.example/live"))
    #expect(try !goes(secure, to: "http://cdn.example/live") && !goes(secure, to: "http://radio.example/live"))
    let upgraded = try referral(of: "http://radio.example/x.m3u", from: "https://radio.example/x.m3u")
    #expect(try !goes(upgraded, to: "http://cdn.example/live") && goes(upgraded, to: "http://radio.example/live"))
    let nested = AddressOrigin(
      behind: own, at: try WebAddress("http://cdn.example/z.pls"), home: .privateUse, isFeed: false)
    #expect(try goes(nested, to: "http://radio.example/live") && !goes(nested, to: "http://cdn.example/live"))
    #expect(nested.reach == .named(homes: [.global], port: 80), "the network of the listener's own host counts")
  }

  @Test("A local list counts as the listener's word; a list named by it does not")
  func localLists() throws {
    let file = try WebAddress(filePath: "/music/list.m3u")
    let local = AddressOrigin(of: file, home: nil, from: file, isFeed: false)
    #expect(local.reach == .anywhere)
    let behind = AddressOrigin(
      behind: local, at: try WebAddress("http://radio.example:8000/z.pls"), home: .global, isFeed: false)
    #expect(behind.reach == .named(homes: [.global], port: 8_000))
  }
}
