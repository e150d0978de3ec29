import Foundation
import Http
import MediaSupport
import TestSupport
import Testing
import Units

@Suite struct RequestTests {
  private func request(path: String = "/live?a=1", _ adapt: (inout HttpRequest) -> Void) throws -> String {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n\r\n")
    defer { server.close() }
    _ = try fetch(server.url(path), adapt)
    return try #require(server.requests.first)
  }

  @Test("A request contains its settings, and no more")
  func says() throws {
    let request = try request { request in
      request.userAgent = "Bakelite/1"
      request.headers = ["X-One: 1", "X-Two: zwei"]
      request.query = ["k=v w&x", "ü", "t=a=b"]
      request.wantsIcyMetadata = true
      request.firstByte = 100
      request.ifRange = "\"tag\""
      request.credentials = Credentials(name: "anna", password: "s3cret")
    }
    let lines = Set(request.split(separator: "\r\n").map(String.init))
    let expected = [
      "GET /live?a=1&k=v%20w%26x&%C3%BC&t=a%3Db HTTP/1.1", "User-Agent: Bakelite/1", "X-One: 1", "X-Two: zwei",
      "Icy-MetaData: 1", "Range: bytes=100-", "If-Range: \"tag\"", "Authorization: Basic YW5uYTpzM2NyZXQ=",
      "Accept: */*",
    ]
    for line in expected { #expect(lines.contains(line)) }
    #expect(lines.count == expected.count + 1, "and the Host")
  }

  @Test("A name and password in the address are sent, decoded")
  func credentialsInAddress() throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n\r\n")
    defer { server.close() }
    let listener = try fetch("http://anna:s%33cret@127.0.0.1:\(server.port)/") {
      $0.credentials = Credentials(name: "other", password: "other")
    }
    #expect(server.requests.first?.contains("Authorization: Basic YW5uYTpzM2NyZXQ=") == true)
    #expect(listener.head?.effectiveURL.unredacted == "http://127.0.0.1:\(server.port)/")
  }

  @Test(
    "A header that could smuggle another is refused",
    arguments: ["a: b\r\nc: d", "a: b\nc", "nothing", ": b", "a b: c", "a: \u{0}"])
  func badHeaders(_ header: String) throws {
    #expect(throws: NetworkError.badHeader) {
      try fetch("http://127.0.0.1/") { $0.headers = [header] }
    }
    #expect(throws: NetworkError.badHeader) {
      try fetch("http://127.0.0.1/") { $0.userAgent = "a\r\n" + header }
    }
  }

  @Test("No printed form shows a password")
  func secrets() {
    let credentials = Credentials(name: "anna", password: "s3cret")
    var request = HttpRequest(url: "http://anna:s3cret@radio.example/a?token=s3cret")
    request.credentials = credentials
    request.query = ["key=s3cret"]
    var dumped = ""
    dump(request, to: &dumped)
    dump(credentials, to: &dumped)
    for text in ["\(credentials)", "\(request)", String(reflecting: credentials), String(reflecting: request), dumped] {
      #expect(!text.contains("s3cret") && !text.contains("anna"))
    }
  }
}

@Suite(.enabled(if: OpenSSL.path != nil, "needs the openssl tool")) struct TLSTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var name = "localhost"
    var years = 2020...2049
    var isTrusted = true
    let error: NetworkError?
  }

  @Test(
    "A certificate is classified correctly",
    arguments: [
      Case(testDescription: "trusted", error: nil),
      Case(testDescription: "self-signed", isTrusted: false, error: .tls(.unknownIssuer)),
      Case(testDescription: "expired", years: 2020...2021, error: .tls(.expired)),
      Case(testDescription: "not yet valid", years: 2048...2049, error: .tls(.notYetValid)),
      Case(testDescription: "of another host", name: "radio.example", error: .tls(.wrongHost)),
    ])
  func certificates(_ sample: Case) throws {
    let authority = try OpenSSL(name: sample.name, from: sample.years.lowerBound, to: sample.years.upperBound)
    try authority.serve { port in
      let trust =
        sample.isTrusted ? TrustStore { $0 == "SSL_CERT_FILE" ? authority.certificate : nil } : TrustStore { _ in nil }
      let listener = try fetch("https://localhost:\(port)/", trust: trust)
      #expect(listener.error == sample.error)
      #expect(listener.heads.count == (sample.error == nil ? 1 : 0))
    }
  }

  @Test("The date of a response counts only by TLS (D14)")
  func serverTimes() throws {
    let authority = try OpenSSL(name: "localhost", from: 2020, to: 2049)
    let head = "HTTP/1.0 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\nsound"
    try authority.serve(["dated": Array(head.utf8), "undated": Array("HTTP/1.0 200 OK\r\n\r\nsound".utf8)]) { port in
      let plain = try ScriptedServer(answering: head)
      defer { plain.close() }
      let engine = try HttpEngine(trust: TrustStore { $0 == "SSL_CERT_FILE" ? authority.certificate : nil })
      for url in ["https://localhost:\(port)/undated", plain.url()] {
        let listener = Listener()
        _ = try engine.start(HttpRequest(url: StationAddress(url)), handler: listener)
        #expect(engine.run { listener.isOver } && listener.text == "sound" && engine.removeServerTimes().isEmpty)
      }
      let (listener, start) = (Listener(), engine.clock.now())
      _ = try engine.start(HttpRequest(url: "https://localhost:\(port)/dated"), handler: listener)
      #expect(engine.run { listener.isOver } && listener.text == "sound")
      let times = engine.removeServerTimes()
      #expect(times.map(\.host) == ["localhost"] && times.map(\.seconds) == [784_111_777])
      #expect(times.allSatisfy { $0.received >= start && $0.received <= engine.clock.now() })
      #expect(engine.removeServerTimes().isEmpty)
      // A refused certificate proves nothing.
      let strict = try HttpEngine(trust: TrustStore { _ in nil })
      let refused = Listener()
      _ = try strict.start(HttpRequest(url: "https://localhost:\(port)/dated"), handler: refused)
      #expect(strict.run { refused.isOver } && refused.error != nil && strict.removeServerTimes().isEmpty)
    }
  }

  @Test("Each connection checks the certificate, without the TLS session of an earlier connection")
  func sessions() throws {
    let authority = try OpenSSL(name: "localhost", from: 2020, to: 2049)
    try authority.serve { port in
      let engine = try HttpEngine(trust: TrustStore { $0 == "SSL_CERT_FILE" ? authority.certificate : nil })
      for programme in [0, 0, 1, nil, 0] {
        let listener = Listener()
        var request = HttpRequest(url: StationAddress("https://localhost:\(port)/"))
        request.programme = programme
        _ = try engine.start(request, handler: listener)
        #expect(engine.run { listener.isOver } && listener.error == nil)
        // The first word of the page's line on the session is "New" or "Reused".
        #expect(listener.text.contains("\nNew, TLS"))
      }
    }
  }

  @Test("Unreadable CA certificates are reported")
  func noStore() throws {
    let authority = try OpenSSL(name: "localhost", from: 2020, to: 2049)
    try authority.serve { port in
      let listener = try fetch("https://localhost:\(port)/", trust: TrustStore { _ in "/nowhere" })
      #expect(listener.error == .tls(.noTrustStore))
    }
  }
}
