import Foundation
import SeededRandom
import System
import TestSupport
import Testing

@testable import Web

/// Recordings as downloads (T4): the radio opens the file, the panel sends its bytes.
@Suite struct RecordingTests {
  private static func bytes(_ count: Int) -> [UInt8] {
    var random = SeededGenerator(4)
    return random.bytes(count)
  }

  private static func bench(
    _ count: Int, named name: String = "a.mp3", read: BlockReaders.Read? = nil
  ) throws -> (WebBench, [UInt8]) {
    let (bench, bytes) = (try read.map { try WebBench(read: $0) } ?? WebBench(), bytes(count))
    let path = bench.folder.write(bytes, to: "recording")
    bench.radio?.set { $0.files[name] = path }
    return (bench, bytes)
  }

  /// Requests a recording without waiting for the response.
  private static func request(_ browser: Browser) {
    browser.send("GET /recordings/a.mp3 HTTP/1.1\r\nHost: localhost\r\nCookie: bakelite=\(browser.cookie)\r\n\r\n")
  }

  /// Number of this process's descriptors of a file.
  private static func openCount(of path: String) -> Int {
    let manager = FileManager.default
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let numbers = (try? manager.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.count { (try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == real }
  }

  @Test("A download continues after a broken connection, and equals the original")
  func resumes() async throws {
    try await Stage.run {
      let (bench, bytes) = try Self.bench(3_000_001)
      let browser = try bench.browser()
      Self.request(browser)
      var (start, piece) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
      while start.count < 1_000_000 {
        let count = recv(browser.socket, &piece, piece.count, 0)
        try #require(count > 0)
        start += piece[..<count]
      }
      let text = String(decoding: start.prefix(2_000), as: UTF8.self)
      let head = try #require(text.range(of: "\r\n\r\n"))
      let tag = try #require(text.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }).dropFirst(6)
      let first = start.dropFirst(text[..<head.upperBound].utf8.count)
      try browser.reconnect()
      let rest = try browser.request(
        "GET", "/recordings/a.mp3", nil, ["Range: bytes=\(first.count)-", "If-Range: \(tag)"])
      #expect(rest.status == 206 && rest.headers["etag"] == String(tag))
      #expect(rest.headers["content-range"] == "bytes \(first.count)-3000000/3000001")
      #expect(Array(first) + rest.body == bytes)
      #expect(bench.radio?.takeAsked().filter { $0 == "radio_recording_open \"a.mp3\"" }.count == 2)
    }
  }

  @Test(
    "A range selects a part of the file",
    arguments: [
      ("bytes=0-0", 206, 0..<1), ("bytes=10-19", 206, 10..<20), ("bytes=990-5000", 206, 990..<1_000),
      ("bytes=-10", 206, 990..<1_000), ("bytes=-5000", 206, 0..<1_000), ("Bytes=5-", 206, 5..<1_000),
      ("bytes=1000-", 416, 0..<0), ("bytes=-0", 416, 0..<0), ("bytes=5-4", 200, 0..<1_000),
      ("bytes=0-1,3-4", 200, 0..<1_000), ("bytes=", 200, 0..<1_000), ("bytes=a-b", 200, 0..<1_000),
      ("bytes=99999999999999999999-", 200, 0..<1_000), ("items=0-1", 200, 0..<1_000), ("bytes=+1-2", 200, 0..<1_000),
    ])
  func ranges(_ header: String, _ status: Int, _ part: Range<Int>) async throws {
    try await Stage.run {
      let (bench, bytes) = try Self.bench(1_000)
      let answer = try bench.browser().request("GET", "/recordings/a.mp3", nil, ["Range: \(header)"])
      #expect(answer.status == status && answer.body == Array(bytes[part]), "\(header)")
      #expect(status != 416 || answer.headers["content-range"] == "bytes */1000")
    }
  }

  @Test("A changed file is sent whole, and an unchanged file only once")
  func conditions() async throws {
    try await Stage.run {
      let (bench, bytes) = try Self.bench(1_000)
      let browser = try bench.browser()
      let whole = try browser.request("GET", "/recordings/a.mp3")
      let tag = try #require(whole.headers["etag"])
      #expect(whole.status == 200 && whole.body == bytes && whole.headers["accept-ranges"] == "bytes")
      #expect(try browser.request("GET", "/recordings/a.mp3", nil, ["If-None-Match: \(tag)"]).status == 304)
      let head = try browser.request("HEAD", "/recordings/a.mp3")
      #expect(head.status == 200 && head.headers["content-length"] == "1000")
      bench.folder.write(bytes + [1], to: "recording")
      let changed = try browser.request("GET", "/recordings/a.mp3", nil, ["Range: bytes=10-", "If-Range: \(tag)"])
      #expect(changed.status == 200 && changed.body == bytes + [1])
      bench.folder.write([], to: "recording")
      let empty = try browser.request("GET", "/recordings/a.mp3")
      #expect(empty.status == 200 && empty.body.isEmpty && empty.headers["content-length"] == "0")
    }
  }

  @Test("A name reaches the radio decoded, and the browser harmless")
  func names() async throws {
    try await Stage.run {
      // The protocol escapes the backslash.
      let (bench, bytes) = try Self.bench(10, named: #"b/<i>ä; \\.mp3"#)
      let browser = try bench.browser()
      let answer = try browser.request("GET", "/recordings/b%2F%3Ci%3E%C3%A4%3B%20%5C.mp3")
      #expect(answer.status == 200 && answer.body == bytes)
      #expect(
        answer.headers["content-disposition"]
          == "attachment; filename=\"_i___ _.mp3\"; filename*=UTF-8''%3Ci%3E%C3%A4%3B%20%5C.mp3")
      #expect(answer.headers["content-type"] == "audio/mpeg")
      #expect(answer.headers["x-content-type-options"] == "nosniff")
      for path in [
        "/recordings/", "/recordings/a/b.mp3", "/recordings/a%0A.mp3", "/recordings/%FF.mp3", "/recordings/%",
      ] {
        #expect(try browser.request("GET", path).status == 404, "\(path)")
      }
      bench.radio?.set { $0.answers["radio_recording_open"] = ["ACK [50@0] {radio_recording_open} No such name"] }
      let missing = try browser.request("GET", "/recordings/..%2Fpasswd.mp3")
      #expect(missing.status == 404 && missing.json["error"] as? String == "No such name")
    }
  }

  @Test("A download needs a session; a read-only panel lists and sends, and refuses changes (W3)")
  func rights() async throws {
    try await Stage.run {
      let (open, _) = try Self.bench(10)
      #expect(try open.browser(signsIn: false).request("GET", "/recordings/a.mp3").status == 401)
      let foreign = try open.browser().request("GET", "/recordings/a.mp3", nil, ["Origin: http://evil.example"])
      #expect(foreign.status == 403)
      let bench = try WebBench { options, _ in options.isReadOnly = true }
      let path = bench.folder.write([1, 2], to: "recording")
      bench.radio?.set { $0.files["a.mp3"] = path }
      let browser = try bench.browser()
      #expect(try browser.request("GET", "/api/recordings").status == 200)
      #expect(try browser.request("GET", "/recordings/a.mp3").body == [1, 2])
      for (method, path) in [
        ("DELETE", "/api/recordings/a.mp3"), ("PATCH", "/api/recordings/a.mp3"),
        ("POST", "/api/recordings/a.mp3/play"),
      ] {
        #expect(try browser.request(method, path).code == "readOnly")
      }
    }
  }

  @Test("A stuck disk delays only downloads, also more than the readers' threads (W3)")
  func stuckDisk() async throws {
    try await Stage.run {
      let disk = StuckDisk()
      let (bench, bytes) = try Self.bench(100_000) { disk.read($0, $1, $2) }
      let (page, browsers) = (try bench.browser(), try (0..<6).map { _ in try bench.browser() })
      for browser in browsers[..<4] { Self.request(browser) }
      #expect(bench.waits { disk.readingCount == BlockReaders.maxThreadCount })
      for browser in browsers[4...] { Self.request(browser) }
      #expect(bench.waits { Self.openCount(of: bench.folder.path + "/recording") == 6 })
      #expect(try page.request("GET", "/api/session").status == 200)
      #expect(try page.request("GET", "/api/status").status == 200)
      #expect(disk.readingCount == BlockReaders.maxThreadCount)
      // A browser that leaves closes its waiting file.
      try browsers[5].reconnect()
      #expect(bench.waits { Self.openCount(of: bench.folder.path + "/recording") == 5 })
      disk.free()
      for browser in browsers[..<5] {
        let answer = try browser.readResponse()
        #expect(answer.status == 200 && answer.body == bytes)
      }
      #expect(bench.waits { Self.openCount(of: bench.folder.path + "/recording") == 0 })
    }
  }

  @Test("A panel ends while the disk is stuck")
  func endsWithStuckDisk() async throws {
    try await Stage.run {
      let disk = StuckDisk()
      let (bench, _) = try Self.bench(100_000) { disk.read($0, $1, $2) }
      let browser = try bench.browser()
      Self.request(browser)
      #expect(bench.waits { disk.readingCount == 1 })
      bench.stop.flag.raise()
      #expect(bench.waits { bench.isOver })
      disk.free()
    }
  }

  @Test("A reply without a file is a fault, and each passed file is closed")
  func withoutFile() async throws {
    try await Stage.run {
      let (bench, _) = try Self.bench(10)
      let browser = try bench.browser()
      #expect(try browser.request("GET", "/recordings/b.mp3").status == 504)
      for _ in 0..<5 { #expect(try browser.request("GET", "/recordings/a.mp3").status == 200) }
      #expect(bench.waits { Self.openCount(of: bench.folder.path + "/recording") == 0 })
    }
  }
}
