import Http
import Testing
import Units

/// A response and the expected result.
struct Answer: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let bytes: String
  var status = 200
  var body = "sound"
  var type: String? = "audio/mpeg"
  var isIcy = false
}

@Suite struct AnswerTests {
  static let answers = [
    Answer(testDescription: "HTTP/1.1", bytes: "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\r\nsound"),
    Answer(testDescription: "HTTP/1.0", bytes: "HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\n\r\nsound"),
    Answer(testDescription: "ICY", bytes: "ICY 200 OK\r\nContent-Type:audio/mpeg\r\n\r\nsound", isIcy: true),
    Answer(testDescription: "ICY, no reason", bytes: "ICY 200\r\ncontent-type:audio/mpeg\r\n\r\nsound", isIcy: true),
    Answer(testDescription: "ICY, no headers", bytes: "ICY 200 OK\r\n\r\nsound", type: nil, isIcy: true),
    Answer(
      testDescription: "ICY refusal", bytes: "ICY 401 Unauthorized\r\n\r\n", status: 401, body: "", type: nil,
      isIcy: true),
    Answer(testDescription: "HTTP/0.9", bytes: "\u{1}\u{2}sound", body: "\u{1}\u{2}sound", type: nil),
    Answer(testDescription: "LF only", bytes: "HTTP/1.0 200 OK\nContent-Type: audio/mpeg\n\nsound"),
    Answer(testDescription: "odd case", bytes: "HTTP/1.1 200 OK\r\ncOnTeNt-TyPe: audio/mpeg\r\n\r\nsound"),
    Answer(testDescription: "no reason", bytes: "HTTP/1.1 200\r\nContent-Type: audio/mpeg\r\n\r\nsound"),
    Answer(testDescription: "odd space", bytes: "HTTP/1.1 200 OK\r\nContent-Type: \t audio/mpeg \t\r\n\r\nsound"),
    Answer(testDescription: "interim", bytes: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nsound", type: nil),
    Answer(
      testDescription: "chunked",
      bytes: """
        HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nTransfer-Encoding: chunked\r\n\r\n\
        1\r\ns\r\n0003;a=b;c="d"\r\noun\r\n1\r\nd\r\n0\r\nicy-name: late\r\nX: y\r\n\r\n
        """),
    Answer(
      testDescription: "ICY in chunks",
      bytes: "HTTP/1.1 200 OK\r\nicy-name: a\r\ntransfer-encoding: Chunked\r\n\r\n5\r\nsound\r\n0\r\n\r\n", type: nil,
      isIcy: true),
    Answer(
      testDescription: "not found", bytes: "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nsound", status: 404,
      type: nil),
    Answer(
      testDescription: "busy", bytes: "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", status: 503, body: "", type: nil
    ),
    Answer(
      testDescription: "challenge",
      bytes: "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=a\r\nContent-Length: 0\r\n\r\n", status: 401, body: "",
      type: nil),
    Answer(
      testDescription: "compressed refusal",
      bytes: "HTTP/1.1 404 No\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nsound", status: 404, type: nil),
  ]

  @Test("A response is parsed at once and byte by byte", arguments: answers, [false, true])
  func isUnderstood(_ answer: Answer, slowly: Bool) throws {
    let server = try ScriptedServer(slowly ? .bytewise(answer.bytes) : .text(answer.bytes))
    defer { server.close() }
    let listener = try fetch(server.url())
    #expect(listener.ends == [.complete])
    #expect(listener.heads.count == 1)
    #expect(listener.head?.status == answer.status)
    #expect(listener.head?.contentType == answer.type)
    #expect(listener.head?.isIcy == answer.isIcy)
    #expect(listener.head?.effectiveURL.unredacted == server.url())
    #expect(listener.text == answer.body)
  }

  @Test("The head precedes the first byte, also on a silent stream")
  func headComesAlone() throws {
    let server = try ScriptedServer(.text("HTTP/1.0 200 OK\r\n\r\n"), .gate, .text("sound"))
    defer { server.close() }
    let (engine, listener) = (try HttpEngine(), Listener())
    _ = try engine.start(HttpRequest(url: server.url()), handler: listener)
    #expect(engine.run { !listener.heads.isEmpty })
    #expect(listener.body.isEmpty)
    server.open()
    #expect(engine.run { listener.isOver })
    #expect(listener.text == "sound")
  }

  private func head(_ lines: String) throws -> HttpHead {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n" + lines + "\r\n\r\n")
    defer { server.close() }
    return try #require(try fetch(server.url()).head)
  }

  @Test(
    "A refusal because of too many listeners does not ask for a password",
    arguments: [
      ("ICY 401 Service Unavailable", 503), ("ICY 401 Server Full", 503), ("HTTP/1.0 403 Too many listeners", 503),
      ("HTTP/1.0 403 Listener limit reached", 503), ("ICY 401 Unauthorized", 401), ("ICY 401", 401),
      ("HTTP/1.1 403 Forbidden", 403), ("ICY 404 Resource Not Found", 404), ("ICY 400 Server Full", 400),
    ])
  func fullServer(_ line: String, _ status: Int) throws {
    let server = try ScriptedServer(answering: line + "\r\nContent-Type: text/html\r\n\r\n")
    defer { server.close() }
    #expect(try fetch(server.url()).head?.status == status)
  }

  @Test("The ICY headers are parsed")
  func icyHeaders() throws {
    let icy = try head(
      """
      icy-name:Radio Ei \r\nICY-GENRE: Talk\r\nicy-url: http://radio.example\r\nIcy-Description: all\r\n\
      icy-metaint:16000\r\nicy-pub: 1\r\nicy-name: another
      """
    ).icy
    #expect(icy.name == "Radio Ei")
    #expect(icy.genre == "Talk")
    #expect(icy.url == "http://radio.example")
    #expect(icy.description == "all")
    #expect(icy.metaint == 16_000)
    #expect(icy.pub == true)
  }

  @Test(
    "A bit rate is parsed in every form",
    arguments: [
      ("128", 128_000), ("128,128", 128_000), ("128000", 128_000), ("64 kbps", 64_000), ("", nil), ("0", nil),
      ("-1", nil), ("Quality 5", nil), ("0\r\nicy-br: 96", 96_000), ("99999999999999999999", nil),
    ] as [(String, Int?)])
  func bitRates(_ text: String, _ rate: Int?) throws {
    #expect(try head("icy-br: \(text)").icy.bitRate?.bitsPerSecond == rate)
  }

  @Test("An invalid metaint is ignored", arguments: ["0", "-5", "x", "99999999999999999999"])
  func badMetaint(_ text: String) throws {
    #expect(try head("icy-metaint: \(text)").icy.metaint == nil)
  }

  @Test("The headers of a file are parsed")
  func fileHeaders() throws {
    let head = try head(
      """
      Accept-Ranges: bytes\r\nContent-Range: bytes 100-199/1000\r\nETag: "a"\r\nLast-Modified: then\r\nServer: s\r\n\
      Retry-After: 30\r\nContent-Length: 0
      """)
    #expect(head.acceptsRanges)
    #expect(head.contentRangeStart == 100)
    #expect(head.contentRangeTotal == 1000)
    #expect(head.contentLength == 0)
    #expect(head.etag == "\"a\"")
    #expect(head.lastModified == "then")
    #expect(head.server == "s")
    #expect(head.retryAfter(at: 0) == 30)
    #expect(try self.head("Retry-After: Fri, 31 Dec 1999 23:59:59 GMT").retryAfter(at: 1_763_683_200) == 0)
    #expect(try self.head("Retry-After: Fri, 31 Dec 1999 23:59:59 GMT").retryAfter(at: 946_684_790.5) == 9)
    #expect(try self.head("Content-Range: bytes 0-1/*").contentRangeTotal == nil)
    #expect(try self.head("Content-Range: bytes */7").contentRangeTotal == 7)
  }

  @Test("An impossible length or position is ignored", arguments: ["9223372036854775807", "9007199254740993"])
  func endlessBody(_ count: String) throws {
    #expect(try head("Content-Length: \(count)").contentLength == nil)
    let part = try head("Content-Range: bytes \(count)-\(count)/\(count)")
    #expect(part.contentRangeStart == nil && part.contentRangeTotal == nil)
    #expect(try head("Content-Length: 9007199254740992").contentLength == 1 << 53)
  }

  @Test("Text is UTF-8 or Latin-1, without control characters, and limited")
  func textOfHeaders() throws {
    let server = try ScriptedServer(
      .text("HTTP/1.1 200 OK\r\nicy-genre: Fün\u{1B}[2J\r\nicy-name: "), .bytes([0x46, 0xFC, 0x6E]),
      .text("\r\nicy-description: \(String(repeating: "ü", count: 3000))\r\nicy-url: a\r\n  b\r\n\r\n"))
    defer { server.close() }
    let icy = try #require(try fetch(server.url()).head).icy
    #expect(icy.genre == "Fün[2J")
    #expect(icy.name == "Fün")
    #expect(icy.url == "a b")
    let description = try #require(icy.description)
    #expect((1000...1024).contains(description.utf8.count))
    #expect(description.allSatisfy { $0 == "ü" })
  }

  @Test(
    "Too many or too large headers are refused",
    arguments: [(10_000, 2), (1, 1_000_000), (100_000, 50), (2_500, 100)])
  func floods(count: Int, length: Int) throws {
    let line = "x-flood: " + String(repeating: "x", count: length) + "\r\n"
    let lines = String(repeating: line, count: count)
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n" + lines + "\r\nsound")
    defer { server.close() }
    #expect(try fetch(server.url()).error == .badAnswer)
  }

  @Test(
    "Retry-After is parsed in all its forms",
    arguments: [
      ("120", 120), ("0", 0), ("Thu, 01 Jan 2026 00:02:00 GMT", 120), ("Thursday, 01-Jan-26 00:00:07 GMT", 7),
      ("Thu Jan  1 00:00:09 2026", 9), ("Wed, 31 Dec 2025 23:00:00 GMT", 0), ("soon", nil), ("-5", nil), ("", nil),
    ] as [(String, Int?)])
  func retryForms(value: String, seconds: Int?) throws {
    let date = "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n"
    let server = try ScriptedServer(answering: "HTTP/1.1 503 Later\r\nRetry-After: \(value)\r\n\(date)\r\n")
    defer { server.close() }
    #expect(try fetch(server.url()).head?.retryAfter(at: 0) == seconds)
  }

  @Test("Endless chunk extensions and trailers are refused", arguments: ["line", "lines", "trailer"])
  func floodedChunks(_ kind: String) throws {
    let long = String(repeating: "a", count: 1_000)
    let flood =
      switch kind {
      case "line": "5;" + String(repeating: long, count: 1_000)
      case "lines": String(repeating: "1;\(long)\r\ns\r\n", count: 1_000)
      default: "5\r\nsound\r\n0\r\n" + String(repeating: "x: \(long)\r\n", count: 1_000)
      }
    let server = try ScriptedServer(.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + flood), .hold)
    defer { server.close() }
    let listener = try fetch(server.url())
    #expect(listener.error == .badAnswer)
    #expect(listener.body.count < 100)
  }

  @Test("Chunks survive pauses, in any pieces", arguments: [1, 7, 5_000])
  func pausedChunks(_ size: Int) throws {
    let body = (0..<20_000).map { UInt8(truncatingIfNeeded: ($0 &* 31) >> 3) }
    var sent = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    for start in stride(from: 0, to: body.count, by: size) {
      let chunk = body[start..<min(body.count, start + size)]
      sent += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
    }
    let server = try ScriptedServer(.bytes(sent + Array("0\r\n\r\n".utf8)))
    defer { server.close() }
    let (engine, listener) = (try HttpEngine(), Listener())
    var count = 0
    listener.onBytes = { _ in
      count += 1
      return count.isMultiple(of: 3) ? .pause : .taken
    }
    let transfer = try engine.start(HttpRequest(url: server.url()), handler: listener)
    let isOver = engine.run {
      transfer.resume()
      return listener.isOver
    }
    #expect(isOver && listener.ends == [.complete])
    #expect(listener.body == body)
  }
}
