import Foundation
import Http
import Testing

@Suite struct LocalFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "bakelite-\(UUID())")
  private let music = [UInt8]((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  private func withFile(_ test: (_ url: String) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a b%ü.mp3").path
    try Data(music).write(to: URL(fileURLWithPath: path))
    try test(WebAddress(filePath: path).url.unredacted)
  }

  @Test("A local file is read like a server's", arguments: [nil, 0, 100, 50_000] as [Int64?])
  func isRead(_ firstByte: Int64?) throws {
    try withFile { url in
      let listener = try fetch(url) { request in
        request.allowsLocalFile = true
        request.firstByte = firstByte
      }
      let start = firstByte ?? 0
      #expect(listener.ends == [.complete])
      #expect(listener.heads.count == 1)
      #expect(listener.head?.status == 200)
      #expect(listener.head?.contentLength == 50_000 - start)
      #expect(listener.head?.acceptsRanges == true)
      #expect(listener.head?.contentRangeStart == firstByte)
      #expect(listener.body == Array(music[Int(start)...]))
    }
  }

  @Test(
    "A part of a file ends at its limit, or at the file's end",
    arguments: [(0, 1), (100, 20_000), (49_990, 50)])
  func isReadInParts(_ first: Int, _ count: Int) throws {
    try withFile { url in
      let listener = try fetch(url) { request in
        request.allowsLocalFile = true
        request.firstByte = Int64(first)
        request.byteCount = Int64(count)
      }
      #expect(listener.ends == [.complete])
      #expect(listener.head?.contentRangeTotal == 50_000)
      #expect(listener.body == Array(music[first..<min(50_000, first + count)]))
    }
  }

  @Test("A pause of a file loses and repeats nothing")
  func pauses() throws {
    try withFile { url in
      var request = HttpRequest(url: url)
      request.allowsLocalFile = true
      let (engine, listener) = (try HttpEngine(), Listener())
      var calls = 0
      listener.onBytes = { _ in
        calls += 1
        return calls % 2 == 1 ? .pause : .taken
      }
      let transfer = try engine.start(request, handler: listener)
      let isOver = engine.run {
        transfer.resume()
        return listener.isOver
      }
      #expect(isOver)
      #expect(listener.body == music)
    }
  }

  @Test("A file is refused unless allowed")
  func isRefused() throws {
    try withFile { url in
      #expect(throws: NetworkError.badScheme("file")) { try fetch(url) }
    }
  }

  @Test("An unreadable file gives its reason")
  func failures() throws {
    try withFile { url in
      let pipe = folder.appending(path: "pipe").path
      #expect(mkfifo(pipe, 0o600) == 0)
      let cases = [
        (url + "x", ENOENT), (url + "%00", ENOENT), (url + "/x", ENOTDIR), ("file://" + folder.path, EISDIR),
        ("file://" + pipe, EINVAL), ("file:///dev/zero", EINVAL),
      ]
      for (url, errno) in cases {
        #expect(throws: NetworkError.localFile(errno: errno), "\(url)") {
          try fetch(url) { $0.allowsLocalFile = true }
        }
      }
      #expect(throws: NetworkError.localFile(errno: EINVAL)) {
        try fetch(url) { request in
          request.allowsLocalFile = true
          request.firstByte = 50_001
        }
      }
    }
  }

  @Test("The bytes at a position are read without a request, and an unreadable file has no bytes")
  func bytesAtPosition() throws {
    try withFile { url in
      let address = try WebAddress(url, allowsFile: true)
      #expect(LocalFile.part(of: address, at: 100, 50) == Array(music[100..<150]))
      #expect(LocalFile.part(of: address, at: 49_990, 50) == Array(music[49_990...]))
      #expect(LocalFile.part(of: address, at: 60_000, 50).isEmpty)
      #expect(LocalFile.tail(of: address, 50) == Array(music.suffix(50)))
      #expect(LocalFile.part(of: try WebAddress(url + "x", allowsFile: true), at: 0, 50).isEmpty)
    }
  }

  @Test("A file that fails while read does not end as complete")
  func failsHalfway() throws {
    // A regular file according to stat(2), whose first byte is not mapped.
    let listener = try fetch("file:///proc/self/mem") { $0.allowsLocalFile = true }
    #expect(listener.heads.count == 1)
    #expect(listener.body.isEmpty)
    #expect(listener.ends == [.failed(.localFile(errno: EIO))])
  }
}
