import Glibc
import Http
import Testing
import Units

@Suite struct FailureTests {
  @Test("A broken body is reported with its cause")
  func brokenBodies() throws {
    let cases: [(String, ScriptedServer.Step?, NetworkError)] = [
      ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsound", nil, .closedEarly),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nsound", nil, .closedEarly),
      ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsound", .reset, .reset),
      ("HTTP/1.1 200 OK\r\n\r\nsound", .reset, .reset),
    ]
    for (answer, last, error) in cases {
      let server = try ScriptedServer([.text(answer), .gate] + (last.map { [$0] } ?? []))
      defer { server.close() }
      let (engine, listener) = (try HttpEngine(), Listener())
      _ = try engine.start(HttpRequest(url: server.url()), handler: listener)
      // A reset may overtake bytes that are still in the kernel.
      #expect(engine.run { listener.body.count == 5 })
      server.open()
      #expect(engine.run { listener.isOver })
      #expect(listener.error == error, "\(answer)")
      #expect(listener.text == "sound")
    }
  }

  @Test(
    "An invalid response is refused before its body",
    arguments: [
      ("", NetworkError.reset),
      ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nsound", .compressed),
      ("HTTP/1.1 200 OK\r\ncontent-encoding: x, BR\r\n\r\nsound", .compressed),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot a number\r\n", .reset),
    ])
  func noAnswers(_ answer: String, _ error: NetworkError) throws {
    let server = try ScriptedServer(answering: answer)
    defer { server.close() }
    let listener = try fetch(server.url())
    #expect(listener.error == error)
    #expect(listener.body.isEmpty)
  }

  @Test("A closed port refuses")
  func refused() throws {
    let server = try ScriptedServer(answering: "")
    server.close()
    #expect(try fetch(server.url()).error == .refused)
  }

  @Test("A missing host is distinguished from a missing network")
  func unknownHost() throws {
    let expected: NetworkError = LinkProbe.hasRoute() ? .hostNotFound : .noNetwork
    #expect(try fetch("http://no-such-host.invalid/").error == expected)
  }

  @Test("A host that does not respond times out")
  func timeout() throws {
    // A listener whose queue is full drops every further SYN.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let fillers = (0..<4).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0) }
    defer { for filler in fillers { close(filler) } }
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #expect(bind(listener, $0, length) + listen(listener, 0) + getsockname(listener, $0, &length) == 0)
        for filler in fillers { _ = connect(filler, $0, length) }
      }
    }
    let heard = try fetch("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") {
      $0.connectTimeout = Duration(milliseconds: 300)
    }
    #expect(heard.error == (LinkProbe.hasRoute() ? .connectTimeout : .noNetwork))
  }

  @Test("A host that connects but never speaks TLS times out")
  func silentHandshake() throws {
    let server = try ScriptedServer(.hold)
    defer { server.close() }
    let heard = try fetch("https://127.0.0.1:\(server.port)/") { $0.connectTimeout = Duration(milliseconds: 300) }
    #expect(heard.error == (LinkProbe.hasRoute() ? .connectTimeout : .noNetwork))
  }

  static let errors: [NetworkError] = [
    .badURL, .badScheme("rtsp"), .badHeader, .hostNotFound, .nameServer, .namesDenied, .noNetwork, .unreachable,
    .refused, .connectTimeout, .onlyLists, .outOfReach(.privateUse), .outOfReach(.loopback), .refusedPort(25),
    .proxyFailed, .reset, .closedEarly, .tooManyRedirects, .badRedirect, .signIn, .compressed, .badAnswer,
    .cancelled,
    .localFile(errno: ENOENT), .localFile(errno: EACCES), .localFile(errno: EISDIR), .localFile(errno: EINVAL),
    .localFile(errno: EIO), .outOfMemory, .internal(code: 2), .tls(.expired), .tls(.notYetValid),
    .tls(.unknownIssuer), .tls(.wrongHost), .tls(.noTrustStore), .tls(.badCertificate), .tls(.handshake),
  ]

  @Test("Every error is one sentence without secrets", arguments: errors)
  func sentences(_ error: NetworkError) {
    let urls: [StationAddress] = [
      "http://anna:s3cret@radio.example:8000/live?token=s3cret", "anna:s3cret@radio.example/live",
      "http://anna:s3cret@ra dio.example/\u{1B}[2J", "file:///music/live.mp3", "\u{202E}", "",
    ]
    for url in urls {
      let sentence = error.sentence(for: url)
      #expect(sentence.hasSuffix("."))
      #expect(!sentence.contains("s3cret"))
      #expect(sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }
  }

  private static let shown = "http://radio.example:8000/live"
  private static let place = "radio.example, port 8000,"

  @Test(
    "Each error has these words",
    arguments: [
      (.badURL, "“\(shown)” is not an address; write it like http://radio.example:8000/live."),
      (
        .badScheme("rtsp"),
        "Bakelite speaks http and https, but “\(shown)” leads to “rtsp”; look for another address of the station."
      ),
      (
        .badHeader,
        "A header to send to radio.example is not “Name: value” on one line; correct it in the settings."
      ),
      (
        .hostNotFound,
        "The host radio.example does not exist; check the spelling of the address or the name server."
      ),
      (
        .nameServer,
        "No name server answers to say where radio.example is; check the router or the name server."
      ),
      (
        .noNetwork,
        "This machine is offline and cannot reach radio.example; check the cable or the wireless connection."
      ),
      (
        .namesDenied,
        "This machine is probably offline: the name servers know no name, such as radio.example; check the router's "
          + "connection."
      ),
      (.unreachable, "There is no route to radio.example from this network; check the router or a firewall."),
      (.refused, "\(place) refuses connections; check the port, or wait until the station is back."),
      (.connectTimeout, "\(place) does not answer; check the address, or wait until the station is back."),
      (.proxyFailed, "The proxy on the way to radio.example does not work; check http_proxy and https_proxy."),
      (
        .tls(.expired),
        "The certificate of radio.example has expired; check this computer's clock, or report this to the station."
      ),
      (.tls(.notYetValid), "The certificate of radio.example is not valid yet; check this computer's clock."),
      (
        .tls(.unknownIssuer),
        "No trusted authority has signed the certificate of radio.example; name its issuer in SSL_CERT_FILE if you "
          + "trust it."
      ),
      (
        .tls(.wrongHost),
        "The certificate shown by radio.example is for another host; check the address, or report this to the station."
      ),
      (
        .tls(.noTrustStore),
        "The trusted certificates cannot be read for radio.example; install ca-certificates."
      ),
      (.tls(.badCertificate), "The certificate of radio.example is not acceptable; report this to the station."),
      (
        .tls(.handshake),
        "No secure connection to radio.example could be made; check if its address begins with http instead."
      ),
      (.reset, "\(place) broke the connection; try again."),
      (.closedEarly, "\(place) closed the connection before the end of “\(shown)”; try again."),
      (
        .tooManyRedirects,
        "radio.example redirects “\(shown)” in a loop or more than 20 times; report this to the station."
      ),
      (.badRedirect, "radio.example redirects “\(shown)” to an invalid address; report this to the station."),
      (
        .outOfReach(.privateUse),
        "“\(shown)” leads to a private address; only what you enter yourself may do so: enter that address if you "
          + "trust it."
      ),
      (
        .refusedPort(25),
        "“\(shown)” leads to port 25, where no station listens; if one does, enter its address yourself."
      ),
      (.onlyLists, "“\(shown)” leads only to more lists; ask the station for the address of its stream."),
      (.compressed, "radio.example sends “\(shown)” compressed, which no radio asks for; report this to the station."),
      (.badAnswer, "\(place) does not answer as a web server or a station does; check the port."),
      (.cancelled, "The connection to radio.example was cancelled."),
      (.outOfMemory, "No memory is left to fetch “\(shown)”; close other programs."),
      (.internal(code: 2), "Fetching “\(shown)” failed inside libcurl (code 2); please report it."),
    ] as [(NetworkError, String)])
  func words(_ error: NetworkError, _ words: String) {
    #expect(error.sentence(for: "http://anna:s3cret@radio.example:8000/live?token=s3cret") == words)
  }

  @Test(
    "An unreadable file is reported by path",
    arguments: [
      (ENOENT, "There is no file /a b; check the path."), (ENOTDIR, "There is no file /a b; check the path."),
      (EACCES, "The file /a b is not readable; change its permissions."),
      (EPERM, "The file /a b is not readable; change its permissions."),
      (EISDIR, "/a b is a folder; name a file in it."), (EINVAL, "/a b is not a regular file; name one."),
      (EIO, "The file /a b cannot be read (Input/output error); check the disk."),
    ])
  func fileWords(_ errno: Int32, _ words: String) {
    #expect(NetworkError.localFile(errno: errno).sentence(for: "file:///a%20b") == words)
  }

  @Test("An invalid address is shown instead of its host")
  func nowhere() {
    #expect(NetworkError.hostNotFound.sentence(for: "http://a b/").hasPrefix("The host http://… does not exist;"))
    #expect(NetworkError.refused.sentence(for: "http://a b/").hasPrefix("http://… refuses connections;"))
  }

  @Test("A sentence names host, port, path and remedy")
  func names() {
    let url: StationAddress = "radio.example:8000/live"
    #expect(
      NetworkError.hostNotFound.sentence(for: url)
        == "The host radio.example does not exist; check the spelling of the address or the name server.")
    #expect(
      NetworkError.tls(.expired).sentence(for: url)
        == "The certificate of radio.example has expired; check this computer's clock, or report this to the station.")
    #expect(NetworkError.refused.sentence(for: url).hasPrefix("radio.example, port 8000, refuses"))
    #expect(
      NetworkError.localFile(errno: ENOENT).sentence(for: "file:///a%20b.mp3")
        == "There is no file /a b.mp3; check the path.")
  }

  @Test("A temporary fault is worth a retry")
  func retries() {
    let worthy: [NetworkError] = [
      .noNetwork, .nameServer, .namesDenied, .unreachable, .refused, .connectTimeout, .proxyFailed, .reset,
      .closedEarly,
      .tls(.notYetValid), .tls(.handshake),
    ]
    for error in Self.errors { #expect(error.isWorthRetrying == worthy.contains(error)) }
  }
}
