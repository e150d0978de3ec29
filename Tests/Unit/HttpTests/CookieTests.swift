import Testing
import Units

@testable import Http

/// Cookies of a programme (RFC 6265).
@Suite struct CookieTests {
  /// Fetches addresses one after the other with one engine, and returns the listeners.
  private func fetchAll(
    _ urls: [String], with engine: HttpEngine? = nil, _ adapt: (inout HttpRequest) -> Void = { _ in }
  ) throws -> [Listener] {
    let engine = try engine ?? HttpEngine()
    return try urls.map { url in
      var request = HttpRequest(url: url)
      request.programme = 0
      adapt(&request)
      let listener = Listener()
      _ = try engine.start(request, handler: listener)
      #expect(engine.run { listener.isOver })
      return listener
    }
  }

  private func cookies(_ request: String) -> Set<String> {
    let line = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("cookie:") }
    let pairs = line?.dropFirst("cookie:".count).split(separator: ";") ?? []
    return Set(pairs.map { String($0.drop { $0 == " " }) })
  }

  @Test("A cookie of a redirect is sent to its target and with later requests, but not to another host")
  func redirect() throws {
    let other = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n\r\nsound")
    let server = try ScriptedServer { request in
      if request.hasPrefix("GET /start ") {
        return [.text("HTTP/1.1 302 Found\r\nLocation: /list\r\nSet-Cookie: tok=a1; path=/\r\n\r\n")]
      }
      return [.text("HTTP/1.1 200 OK\r\nSet-Cookie: more=b2; path=/segments\r\n\r\nsound")]
    }
    defer {
      server.close()
      other.close()
    }
    let urls = [
      server.url("/start"), server.url("/segments/1"), server.url("/else"), other.url("/", host: "localhost"),
    ]
    for listener in try fetchAll(urls) { #expect(listener.text == "sound") }
    #expect(server.requests.map { cookies($0) } == [[], ["tok=a1"], ["tok=a1", "more=b2"], ["tok=a1"]])
    #expect(other.requests.map { cookies($0) } == [[]])

  }

  @Test("A redirect to the same address is followed once it sets a cookie, and is a loop otherwise")
  func sameAddress() throws {
    let server = try ScriptedServer { request in
      if request.contains("seen=1") { return [.text("HTTP/1.1 200 OK\r\n\r\nsound")] }
      let cookie = request.hasPrefix("GET /cookie ") ? "Set-Cookie: seen=1\r\n" : ""
      return [.text("HTTP/1.1 302 Found\r\nLocation: \(request.split(separator: " ")[1])\r\n\(cookie)\r\n")]
    }
    defer { server.close() }
    #expect(try fetchAll([server.url("/cookie")]).first?.text == "sound")
    #expect(server.requests.count == 2)
    #expect(try fetchAll([server.url("/loop")]).first?.error == .tooManyRedirects)
    #expect(server.requests.count == 3)
  }

  @Test("A loop over several addresses ends at the first repeated address")
  func longLoop() throws {
    let server = try ScriptedServer { request in
      let number = Int(request.split(separator: " ")[1].dropFirst()) ?? 0
      return [.text("HTTP/1.1 302 Found\r\nLocation: /\((number + 1) % 4)\r\n\r\n")]
    }
    defer { server.close() }
    #expect(try fetchAll([server.url("/0")]).first?.error == .tooManyRedirects)
    #expect(server.requests.count == 4)
  }

  @Test("A new programme, and a request that shares no cookies, send none")
  func forgets() throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\n\r\nsound")
    defer { server.close() }
    let engine = try HttpEngine()
    _ = try fetchAll([server.url("/"), server.url("/")], with: engine)
    _ = try fetchAll([server.url("/")], with: engine) { $0.programme = nil }
    engine.forgetCookies(of: 0)
    _ = try fetchAll([server.url("/")], with: engine)
    #expect(server.requests.map { cookies($0) } == [[], ["a=1"], [], []])
  }

  @Test("The listener's own cookie is sent together with the server's")
  func ownCookie() throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\n\r\nsound")
    defer { server.close() }
    _ = try fetchAll([server.url("/"), server.url("/")]) { $0.headers = ["cookie: own=x; two=y", "X-Key: z"] }
    #expect(server.requests.map { cookies($0) } == [["own=x", "two=y"], ["a=1", "own=x", "two=y"]])
    #expect(server.requests.allSatisfy { $0.contains("X-Key: z") })
  }

  @Test("A flood of cookies leaves the newest 32, and cookies over 4 KiB are refused")
  func flood() throws {
    let server = try ScriptedServer { request in
      let part = request.split(separator: " ")[1].dropFirst()
      let cookies = (0..<40).map { "Set-Cookie: \(part)\($0)=\($0)\r\n" }.joined()
      let large = "Set-Cookie: large=\(String(repeating: "x", count: 4_200))\r\n"
      return [.text("HTTP/1.1 200 OK\r\n\(part == "z" ? "" : cookies + large)\r\nsound")]
    }
    defer { server.close() }
    _ = try fetchAll(["/a", "/b", "/z"].map { server.url($0) })
    let sent = server.requests.map { cookies($0) }
    #expect(sent[1].count == CookieJar.maxCount && sent[2].count == CookieJar.maxCount)
    #expect(sent[2].allSatisfy { $0.hasPrefix("b") })
  }

  @Test("New cookies replace old ones if there are too many")
  func newest() {
    let old = (0..<30).map { "old\($0)" }
    #expect(CookieJar.newest(of: old, after: []) == old)
    let new = (0..<10).map { "new\($0)" }
    let rest = CookieJar.newest(of: old + new, after: old)
    #expect(rest.count == CookieJar.maxCount && rest.starts(with: new) && Set(rest).isSubset(of: Set(old + new)))
  }

  @Test("An own cookie with a line break is refused")
  func brokenCookie() throws {
    var request = HttpRequest(url: "http://127.0.0.1:1/")
    (request.headers, request.programme) = (["Cookie: a=1\r\nX-Key: z"], 0)
    #expect(throws: NetworkError.badHeader) { try request.headerLines() }
  }

  @Test("A dump of the cookies shows none")
  func dumped() throws {
    let jar = try #require(CookieJar())
    #expect(Mirror(reflecting: jar).children.isEmpty)
  }
}
