import Testing
import Units

@testable import Http

/// Responses whose head libcurl refuses.
@Suite struct LooseHeadTests {
  private static let oddLines = [
    "stray line", "Content-Length: -1", "Content-Length: 123abc", "Content-Length: unknown", "Content-Length: 10, 10",
    "Content-Length:", ": no name", "<html>", "Content-Length: 99999999999999999999999",
    "Content-Length: -1\r\nContent-Length: 7x", "Content-Length: 2\r\nContent-Length: 3", "x", "Content-Length: 0x5",
    "Content-Length: 2.5", "icy-br",
  ]

  @Test("A head with an odd line is read like any other", arguments: oddLines)
  func oddLine(_ line: String) throws {
    let server = try ScriptedServer(
      answering: "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\(line)\r\nicy-name: FM\r\n\r\nsound")
    defer { server.close() }
    let listener = try fetch(server.url()) { $0.wantsIcyMetadata = true }
    #expect(listener.ends == [.complete])
    #expect(listener.head?.icy.name == "FM" && listener.head?.contentType == "audio/mpeg")
    #expect(listener.head?.contentLength == nil)
    #expect(listener.text == "sound")
    #expect(server.requests.count <= 2 && server.requests.allSatisfy { $0.contains("Icy-MetaData: 1") })
  }

  @Test("A repeated request has the same path, range, credentials and own headers")
  func sameRequest() throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\nstray\r\n\r\nsound")
    defer { server.close() }
    let listener = try fetch(server.url("/a%20b/c?d=e&f=g%2F")) { request in
      (request.firstByte, request.byteCount, request.userAgent) = (5, 10, "Kitchen/1")
      (request.headers, request.credentials) = (["X-Key: a b"], Credentials(name: "anna", password: "s3cret"))
    }
    #expect(listener.text == "sound")
    #expect(server.requests.count == 2)
    let lines = server.requests.map { Set($0.split(separator: "\r\n").map { String($0) }) }
    #expect(lines.last?.isSuperset(of: (lines.first ?? []).subtracting(["Connection: close"])) == true)
    #expect(lines.last?.contains("Authorization: Basic YW5uYTpzM2NyZXQ=") == true)
  }

  @Test("Equal lengths count once, and end the body on an open connection")
  func equalLengths() throws {
    for line in ["Content-Length: 5\r\nContent-Length: 5", "stray\r\nContent-Length: 5"] {
      let server = try ScriptedServer(.text("HTTP/1.1 200 OK\r\n\(line)\r\n\r\nsound, and more"), .hold)
      defer { server.close() }
      let listener = try fetch(server.url())
      #expect(listener.ends == [.complete] && listener.text == "sound" && listener.head?.contentLength == 5)
    }
  }

  @Test("A server whose heads libcurl refuses costs one more request, once")
  func remembered() throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\nstray\r\n\r\nsound")
    defer { server.close() }
    let engine = try HttpEngine()
    for count in 2...4 {
      let listener = Listener()
      _ = try engine.start(HttpRequest(url: server.url()), handler: listener)
      #expect(engine.run { listener.isOver })
      #expect(listener.text == "sound" && server.requests.count == count)
    }
  }

  @Test("The length and the chunks of an odd response are respected", arguments: [true, false])
  func length(_ isWhole: Bool) throws {
    for framing in ["Content-Length: 5", "Transfer-Encoding: chunked"] {
      let isChunked = framing.hasSuffix("chunked")
      let whole = isChunked ? "5\r\nsound\r\n0\r\n\r\n" : "sound and more"
      let body = isWhole ? whole : String(whole.prefix(4))
      let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\nstray\r\n\(framing)\r\n\r\n\(body)")
      defer { server.close() }
      let listener = try fetch(server.url())
      #expect(listener.ends == [isWhole ? .complete : .failed(.closedEarly)], "\(framing)")
      if isWhole { #expect(listener.text == "sound", "\(framing)") }
    }
  }

  @Test("Bytes of an odd response may come one by one, with an interim head, and after a pause")
  func pieces() throws {
    let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nstray\r\n\r\nsound"
    let server = try ScriptedServer { _ in [.bytewise(text)] }
    defer { server.close() }
    #expect(try fetch(server.url()).text == "sound")

    let whole = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\nstray\r\n\r\nsound")
    defer { whole.close() }
    let (engine, listener) = (try HttpEngine(), Listener())
    var pauses = 0
    listener.onBytes = { _ in
      pauses += 1
      return pauses < 3 ? .pause : .taken
    }
    let transfer = try engine.start(HttpRequest(url: whole.url()), handler: listener)
    #expect(
      engine.run {
        if transfer.isPaused { transfer.resume() }
        return listener.isOver
      })
    #expect(listener.text == "sound" && pauses == 3)
  }

  @Test("An odd redirect is followed, and an odd refusal is reported")
  func redirect() throws {
    let server = try ScriptedServer { request in
      if request.hasPrefix("GET /to ") { return [.text("HTTP/1.1 404 Not Found\r\nstray\r\n\r\n")] }
      return [.text("HTTP/1.1 302 Found\r\nstray\r\nLocation: /to\r\n\r\n")]
    }
    defer { server.close() }
    #expect(try fetch(server.url("/from")).head?.status == 404)
  }

  @Test("An endless line or head of an odd response ends the transfer")
  func flood() throws {
    let line = String(repeating: "x", count: 100)
    for text in [String(repeating: "x", count: 400_000), String(repeating: line + "\r\n", count: 4_000)] {
      let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\nstray\r\n\(text)")
      defer { server.close() }
      #expect(try fetch(server.url()).error == .badAnswer)
    }
  }
}
