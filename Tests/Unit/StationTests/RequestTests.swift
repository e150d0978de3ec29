import Foundation
import Station
import Testing
import Units

@Suite("Station responses", .timeLimit(.minutes(1)))
struct RequestTests {
  let mounts: [Mount]

  init() throws {
    mounts = [
      try Mount(name: "My song.mp3", file: Frames.mp3(100)),
      try Mount(name: "he.aac", file: Frames.aac(100, rateIndex: 7, byteCount: 100)),
      try Mount(name: "My song.aac", file: Frames.aac(100, rateIndex: 4, byteCount: 200)),
    ]
  }

  @Test("A stream's head equals Icecast's", arguments: ["GET", "HEAD"])
  func head(method: String) throws {
    try withStation(mounts, { $0.name = "Radio\r\nX: y" }) { server in
      let client = try Client(port: server.port)
      let answer = try client.get("/My%20song.mp3?x=1", method: method)
      #expect(answer.status == "HTTP/1.0 200 OK")
      let expected = [
        "content-type": "audio/mpeg", "icy-name": "RadioX: y", "icy-genre": "Various", "icy-br": "320",
        "icy-url": "http://radio.test:8000/", "icy-pub": "0", "connection": "close",
      ]
      for (name, value) in expected { #expect(answer.headers[name] == value) }
      #expect(answer.headers["content-length"] == nil)
      #expect(answer.headers["icy-metaint"] == nil)
      if method == "HEAD" {
        #expect(client.readToEnd() == [])
      } else {
        #expect(client.read(4) == [0xFF, 0xFB, 0xE4, 0x00])
      }
    }
  }

  @Test(
    "The Content-Type matches the codec",
    arguments: [
      ("/he.aac", "audio/aacp"), ("/My%20song.aac", "audio/aac"), ("http://radio.test/My%20song.mp3", "audio/mpeg"),
    ])
  func contentType(path: String, type: String) throws {
    try withStation(mounts) { server in
      let head = try Client(port: server.port).get(path, method: "HEAD")
      #expect(head.headers["content-type"] == type)
    }
  }

  @Test("Titles are sent only if the station has any")
  func noTitles() throws {
    try withStation(mounts, { $0.metadataInterval = .zero }) { server in
      let head = try Client(port: server.port).get("/he.aac", headers: "Icy-MetaData: 1\r\n")
      #expect(head.headers["icy-metaint"] == nil)
    }
  }

  @Test(
    "Pages are served",
    arguments: [
      ("/", "text/plain; charset=utf-8", "http://radio.test:8000/My%20song.mp3\tMP3, 320 kbit/s\n"),
      ("/he.m3u", "audio/x-mpegurl", "#EXTM3U\n#EXTINF:-1,he\nhttp://radio.test:8000/he.aac\n"),
      ("/he.aac.m3u", "audio/x-mpegurl", "http://radio.test:8000/he.aac\n"),
      ("/he.pls", "audio/x-scpls", "[playlist]\nNumberOfEntries=1\nFile1=http://radio.test:8000/he.aac\nTitle1=he\n"),
      ("/My%20song.pls", "audio/x-scpls", "File2=http://radio.test:8000/My%20song.aac\n"),
    ])
  func pages(path: String, type: String, part: String) throws {
    try withStation(mounts) { server in
      let page = try Client(port: server.port).page(path)
      #expect(page.status == "HTTP/1.0 200 OK")
      #expect(page.headers["content-type"] == type)
      #expect(page.headers["content-length"] == String(page.body.count))
      #expect(page.text.contains(part))
      let head = try Client(port: server.port).page(path, method: "HEAD")
      #expect(head.headers == page.headers && head.body.isEmpty)
    }
  }

  @Test(
    "A missing page is reported with a sentence", arguments: ["/nothing", "/he", "/nothing.m3u", "/m3u", "/he.aac/"])
  func missing(path: String) throws {
    try withStation(mounts) { server in
      let page = try Client(port: server.port).page(path)
      #expect(page.status == "HTTP/1.0 404 Not Found")
      #expect(page.text == "No such page; the list of mounts is at /.\n")
    }
  }

  @Test("A request may arrive byte by byte, with bare line feeds, and a half-closed socket")
  func pieces() throws {
    try withStation(mounts) { server in
      let client = try Client(port: server.port)
      for byte in "GET /he.aac HTTP/1.0\nIcy-MetaData:1\n\n".utf8 { client.send([byte]) }
      client.endSending()
      #expect(try client.readHead().headers["icy-metaint"] == "16000")
      #expect(client.read(5000).count == 5000)
    }
  }

  @Test("An invalid request is refused, and the station continues", arguments: Hostile.allCases)
  func hostile(kind: Hostile) throws {
    try withStation(mounts) { server in
      let client = try Client(port: server.port)
      client.send(kind.request.utf8)
      #expect(try client.readHead().status == "HTTP/1.0 400 Bad Request")
      #expect(client.readToEnd() != nil)
      #expect(try Client(port: server.port).page("/").status == "HTTP/1.0 200 OK")
    }
  }

  @Test("A Host unfit for a URL is not repeated")
  func hostileHost() throws {
    try withStation(mounts) { server in
      let client = try Client(port: server.port)
      client.send("GET /he.m3u HTTP/1.1\r\nHost: <script>\r\n\r\n".utf8)
      _ = try client.readHead()
      let body = try #require(client.readToEnd())
      #expect(String(decoding: body, as: UTF8.self).contains("http://127.0.0.1:\(server.port)/he.aac"))
    }
  }

  @Test("Other methods are refused", arguments: ["POST", "SOURCE", "get"])
  func methods(method: String) throws {
    try withStation(mounts) { server in
      let answer = try Client(port: server.port).get("/he.aac", method: method)
      #expect(answer.status == "HTTP/1.0 405 Method Not Allowed")
      #expect(answer.headers["allow"] == "GET, HEAD")
    }
  }

  @Test("An excess listener is refused until another leaves")
  func full() throws {
    try withStation(mounts, { $0.maximumListeners = 2 }) { server in
      var listeners = [try Client(port: server.port), try Client(port: server.port)]
      for listener in listeners { #expect(try listener.get("/he.aac").status == "HTTP/1.0 200 OK") }
      let late = try Client(port: server.port).get("/he.aac")
      #expect(late.status == "HTTP/1.0 503 Service Unavailable")
      #expect(late.headers["retry-after"] == "10")
      listeners.removeLast()
      let deadline = ContinuousClock.now + .seconds(10)
      var status = ""
      while status != "HTTP/1.0 200 OK", ContinuousClock.now < deadline {
        status = try Client(port: server.port).get("/he.aac").status
      }
      #expect(status == "HTTP/1.0 200 OK")
    }
  }

  @Test("Excess connections wait their turn")
  func crowd() throws {
    try withStation(mounts, { $0.maximumListeners = 1 }) { server in
      var idle = try (0..<30).map { _ in try Client(port: server.port) }
      let waiting = try Client(port: server.port)
      waiting.send("GET / HTTP/1.0\r\n\r\n".utf8)
      idle.removeAll()
      #expect(try waiting.readHead().status == "HTTP/1.0 200 OK")
    }
  }
}

enum Hostile: CaseIterable {
  case longHeader, endless, tls, version09, twoSpaces, version2, noSlash, badDigits, signedDigits, oneDigit, badUTF8
  case noColon, empty, rawUTF8

  var request: String {
    switch self {
    case .longHeader: "GET / HTTP/1.0\r\nX: \(String(repeating: "x", count: 9000))\r\n\r\n"
    case .endless: String(repeating: "A", count: 100_000)
    case .tls: "\u{16}\u{03}\u{01}\u{02}\0"
    case .version09: "GET /\r\n\r\n"
    case .twoSpaces: "GET  / HTTP/1.0\r\n\r\n"
    case .version2: "GET / HTTP/2.0\r\n\r\n"
    case .noSlash: "GET he.aac HTTP/1.0\r\n\r\n"
    case .badDigits: "GET /%zz HTTP/1.0\r\n\r\n"
    case .signedDigits: "GET /%+1 HTTP/1.0\r\n\r\n"
    case .oneDigit: "GET /%4 HTTP/1.0\r\n\r\n"
    case .badUTF8: "GET /%FF%FE HTTP/1.0\r\n\r\n"
    case .noColon: "GET / HTTP/1.0\r\nno colon\r\n\r\n"
    case .empty: "\r\n\r\n"
    case .rawUTF8: "GET /\u{e9} HTTP/1.0\r\n\r\n"
    }
  }
}
