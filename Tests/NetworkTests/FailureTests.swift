import Glibc
import Network
import Testing
import Units

@Suite struct FailureTests {
  @Test("A broken body is told as what broke it")
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
      // A reset may overtake bytes that still lie in the kernel.
      #expect(engine.run { listener.body.count == 5 })
      server.open()
      #expect(engine.run { listener.isOver })
      #expect(listener.error == error, "\(answer)")
      #expect(listener.text == "sound")
    }
  }

  @Test(
    "An answer that is none is refused before its body",
    arguments: [
      ("", NetworkError.reset),
      ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nsound", .compressed),
      ("HTTP/1.1 200 OK\r\ncontent-encoding: x, BR\r\n\r\nsound", .compressed),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot a number\r\n", .reset),
      ("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nsound", .badAnswer),
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

  @Test("A host that does not exist is told apart from a missing network")
  func unknownHost() throws {
    let expected: NetworkError = LinkProbe.hasRoute() ? .hostNotFound : .noNetwork
    #expect(try fetch("http://no-such-host.invalid/").error == expected)
  }

  @Test("A host that does not answer runs out of time")
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

  @Test("A host that takes the connection but never speaks TLS runs out of time")
  func silentHandshake() throws {
    let server = try ScriptedServer(.hold)
    defer { server.close() }
    let heard = try fetch("https://127.0.0.1:\(server.port)/") { $0.connectTimeout = Duration(milliseconds: 300) }
    #expect(heard.error == (LinkProbe.hasRoute() ? .connectTimeout : .noNetwork))
  }

  static let errors: [NetworkError] = [
    .badURL, .badScheme("rtsp"), .badHeader, .hostNotFound, .nameServer, .noNetwork, .unreachable, .refused,
    .connectTimeout, .onlyLists, .outOfReach(.privateUse), .outOfReach(.loopback), .refusedPort(25),
    .proxyFailed, .reset, .closedEarly, .tooManyRedirects, .badRedirect, .compressed, .badAnswer, .cancelled,
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

  @Test("A sentence names the host, the port, the path and the way out")
  func names() {
    let url: StationAddress = "radio.example:8000/live"
    #expect(
      NetworkError.hostNotFound.sentence(for: url)
        == "The host radio.example does not exist; check the spelling of the address or the name server.")
    #expect(
      NetworkError.tls(.expired).sentence(for: url)
        == "The certificate of radio.example has expired; check this computer's clock, or tell the station.")
    #expect(NetworkError.refused.sentence(for: url).hasPrefix("radio.example, port 8000, refuses"))
    #expect(
      NetworkError.localFile(errno: ENOENT).sentence(for: "file:///a%20b.mp3")
        == "There is no file /a b.mp3; check the path.")
  }

  @Test("What passes by itself is worth another try")
  func retries() {
    let worthy: [NetworkError] = [
      .noNetwork, .nameServer, .unreachable, .refused, .connectTimeout, .proxyFailed, .reset, .closedEarly,
      .tls(.notYetValid), .tls(.handshake),
    ]
    for error in Self.errors { #expect(error.isWorthRetrying == worthy.contains(error)) }
  }
}
