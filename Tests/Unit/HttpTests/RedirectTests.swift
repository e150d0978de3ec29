import Http
import Testing

@Suite struct RedirectTests {
  /// Answers `/N` with a redirect to `/N-1` and `/0` with sound.
  private func chain() throws -> ScriptedServer {
    try ScriptedServer { request in
      let left = Int(request.split(separator: " ")[1].dropFirst()) ?? 0
      return [
        .text(
          left > 0
            ? "HTTP/1.1 302 Found\r\nLocation: \(left - 1)\r\nicy-name: old\r\nContent-Length: 2\r\n\r\nno"
            : "HTTP/1.1 200 OK\r\n\r\nsound")
      ]
    }
  }

  @Test("Up to 20 redirects are followed, and only the last head is reported (R1.11)", arguments: [1, 12, 20])
  func areFollowed(_ count: Int) throws {
    let server = try chain()
    defer { server.close() }
    let listener = try fetch(server.url("/\(count)"))
    #expect(listener.ends == [.complete])
    #expect(listener.heads.count == 1)
    #expect(listener.head?.icy.name == nil)
    #expect(listener.head?.effectiveURL.unredacted == server.url("/0"))
    #expect(listener.text == "sound")
    #expect(server.requests.count == count + 1)
  }

  @Test("A 21st redirect is refused")
  func tooMany() throws {
    let server = try chain()
    defer { server.close() }
    let listener = try fetch(server.url("/21"))
    #expect(listener.error == .tooManyRedirects)
    #expect(listener.heads.isEmpty)
  }

  @Test(
    "A redirect that leads nowhere fails",
    arguments: [
      ("Location: /live", NetworkError.tooManyRedirects), ("Location: ftp://127.0.0.1/a", .badScheme("ftp")),
      ("Location: file:///etc/passwd", .badScheme("file")), ("Location: FILE:///etc/passwd", .badScheme("file")),
      ("Location: http://[bad/", .badRedirect), ("Location:", .badRedirect), ("X: y", .badRedirect),
    ])
  func deadEnds(_ header: String, _ error: NetworkError) throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 302 Found\r\n\(header)\r\nContent-Length: 0\r\n\r\n")
    defer { server.close() }
    let listener = try fetch(server.url()) { $0.allowsLocalFile = true }
    #expect(listener.error == error)
    #expect(listener.heads.isEmpty)
  }

  @Test("A redirect may lead to bytes without any head")
  func toBareBytes() throws {
    let server = try ScriptedServer { request in
      [.text(request.hasPrefix("GET /live ") ? "HTTP/1.1 302 Found\r\nLocation: /bare\r\n\r\n" : "sound")]
    }
    defer { server.close() }
    let listener = try fetch(server.url())
    #expect(listener.ends == [.complete])
    #expect(listener.head?.status == 200)
    #expect(listener.head?.location == nil)
    #expect(listener.text == "sound")
  }

  @Test("The listener's headers follow a redirect within the host only")
  func ownHeadersStay() throws {
    let other = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n\r\nsound")
    let location = other.url("/x", host: "localhost")
    let server = try ScriptedServer { request in
      let isFirst = request.hasPrefix("GET /a")
      return [.text("HTTP/1.1 302 Found\r\nLocation: \(isFirst ? "/b" : location)\r\nContent-Length: 0\r\n\r\n")]
    }
    defer {
      server.close()
      other.close()
    }
    let listener = try fetch(server.url("/a")) { request in
      (request.headers, request.query) = (["X-Key: s3cret"], ["token=s3cret"])
      (request.userAgent, request.firstByte) = ("Kitchen/1", 100)
    }
    #expect(listener.text == "sound")
    #expect(server.requests.count == 2 && server.requests.allSatisfy { $0.contains("X-Key: s3cret") })
    #expect(other.requests.count == 1)
    for request in other.requests {
      #expect(!request.contains("s3cret") && !request.contains("X-Key"))
      #expect(request.contains("User-Agent: Kitchen/1") && request.contains("Range: bytes=100-"))
    }
  }

  @Test("A redirect's address may be long, and in any encoding")
  func anyLocation() throws {
    let long = String(repeating: "a", count: 8_000)
    let cases: [([UInt8], String)] = [
      (Array(long.utf8), long), (Array("a b".utf8), "a%20b"), (Array("é".utf8), "%C3%A9"), ([0xE9], "%E9"),
      (Array("x?y=z#f".utf8), "x?y=z"),
    ]
    for (location, path) in cases {
      let head = Array("HTTP/1.1 302 Found\r\nLocation: /to/".utf8) + location
      let server = try ScriptedServer { request in
        [
          .bytes(
            request.hasPrefix("GET /live ") ? head + Array("\r\n\r\n".utf8) : Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        ]
      }
      defer { server.close() }
      #expect(try fetch(server.url()).ends == [.complete])
      #expect(server.requests.last?.hasPrefix("GET /to/\(path) HTTP") == true, "\(path)")
    }
  }

  @Test("Another host gets neither name nor password", arguments: ["option", "address", "header"])
  func credentialsStay(_ source: String) throws {
    let other = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n\r\nsound")
    let location = other.url("/x", host: "localhost")
    let server = try ScriptedServer(answering: "HTTP/1.1 302 Found\r\nLocation: \(location)\r\n\r\n")
    defer {
      server.close()
      other.close()
    }
    let url = source == "address" ? "http://anna:s3cret@127.0.0.1:\(server.port)/" : server.url("/")
    let listener = try fetch(url) { request in
      if source == "option" { request.credentials = Credentials(name: "anna", password: "s3cret") }
      if source == "header" { request.headers = ["Authorization: Basic YW5uYTpzM2NyZXQ="] }
    }
    #expect(listener.text == "sound")
    #expect(server.requests.allSatisfy { $0.contains("Authorization: Basic YW5uYTpzM2NyZXQ=") })
    #expect(other.requests.count == 1)
    #expect(other.requests.allSatisfy { !$0.lowercased().contains("authorization") })
  }
}
