import Blocks
import SeededRandom
import StationSupport
import System
import TestSupport
import Testing
import Units

@testable import Http
@testable import Network

@Suite struct PaceTests {
  @Test("A reader faster than real time does not wait while its transfer is paused")
  func outrun() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let clip = Clip.mp3(60)
      let path = folder.write(Array([[UInt8]](repeating: clip.bytes, count: 10).joined()), to: "long.mp3")
      let arena = try Arena(MemoryBudget(blockCount: 300).total)
      let ring = BlockRing.make(blockCount: 300, in: arena)
      let board = StatusBoard.make(in: arena)
      let notices = NoticeQueue<NetNotice>(capacity: 256, wake: SharedWakeFlag())
      let room = arena.reserve(UInt8.self, count: MemoryBudget.decoderScratch)
      let packets = SharedWakeFlag()
      let net = try NetThread(
        NetMemory(ring, notices, board), packets: packets, notified: SharedWakeFlag(), clock: .machine)
      defer { net.quit() }
      var reader = BlockReader(ring)
      let start = monotonicSeconds()
      net.tune(StationRequest(url: try WebAddress(filePath: path).url.unredacted), epoch: 1)
      net.follow(nil, token: 1)
      var count = 0
      while monotonicSeconds() - start < 30 {
        // Read first: the next round sees data appended after this check.
        let isAll = reader.hasEnded(1)
        while reader.next(into: room) != nil { count += 1 }
        if isAll { break }
        reader.await(true)
        packets.flag.wait(Duration(milliseconds: 20), by: .machine)
      }
      #expect(count == clip.packets.count * 10)
      // Three seconds are buffered. With a check every 100 ms, ten minutes of audio would need 20 s.
      #expect(monotonicSeconds() - start < 10)
    }
  }

  @Test(
    "Room is polled more often only after half of the buffer is gone at resume",
    arguments: [(20.0, 17.0, 100), (20.0, 9.0, 5), (400.0, 399.0, 100), (400.0, 190.0, 5), (0.0, 0.0, 100)])
  func pausePace(held: Double, left: Double, milliseconds: Int) {
    var throttle = Throttle()
    #expect(throttle.interval == Duration(milliseconds: 100))
    throttle.recordPause(.satisfied, ahead: StreamTime(seconds: held))
    throttle.recordCheck(.ample, ahead: StreamTime(seconds: left))
    #expect(throttle.interval == Duration(milliseconds: Int64(milliseconds)))
    // A paused listener consumes no data.
    throttle.recordPause(.satisfied, ahead: StreamTime(seconds: held))
    for _ in 0..<40 { throttle.recordCheck(.satisfied, ahead: StreamTime(seconds: held)) }
    #expect(throttle.interval == Duration(milliseconds: 100))
  }
}

/// AudioCast's datagrams (R6.5).
@Suite struct AudioCastDatagramTests {
  private func read(_ text: String) -> AudioCastDatagram? { read(Array(text.utf8)) }
  private func read(_ bytes: [UInt8], _ encoding: String? = nil) -> AudioCastDatagram? {
    AudioCastDatagram(bytes.span, TitleText(encoding: encoding))
  }

  @Test("Number, title and address are parsed, in any case and with any line end")
  func fields() throws {
    let whole = try #require(
      read(
        "x-audiocast-udpseqnr: 12\r\nX-AudioCast-StreamTitle: A - B: C\r\nx-audiocast-streamurl: http://a/?b:c\n"
          + "x-audiocast-streammsg: hello\r\nx-audiocast-streamlength: 1234"))
    #expect((whole.number, whole.title, whole.url) == (12, "A - B: C", "http://a/?b:c"))
    #expect(whole.acknowledgement == Array("x-audiocast-ack: 12 \r\n".utf8))
    let bare = try #require(read("x-audiocast-streamtitle:Titel\r\nother: x"))
    #expect((bare.number, bare.title, bare.url, bare.acknowledgement) == (nil, "Titel", nil, nil))
    #expect(try #require(read("x-audiocast-streamtitle:  \r\n")).title == nil)
  }

  @Test("Titles are cleaned, in the set or detected encoding")
  func text() {
    let title = Array("x-audiocast-streamtitle: ".utf8)
    #expect(read(title + [0xC6, 0xE0], "windows-1251")?.title == "Жа")
    #expect(read(title + [0x43, 0xE9])?.title == "Cé")
    #expect(read(title + Array("A\u{1B}[0m\u{202E}B".utf8))?.title == "A[0mB")
  }

  @Test(
    "Datagrams of other protocols are ignored",
    arguments: ["", "\r\n", "x-audiocast-", "x-audiocast-streamtitle", "icy-name: x", "x-audiocast-else: 1"])
  func nothing(_ text: String) { #expect(read(text) == nil) }

  @Test("Impossible numbers are not acknowledged", arguments: ["-1", "x", "99999999999999999999", ""])
  func numbers(_ number: String) {
    #expect(read("x-audiocast-udpseqnr: \(number)\r\nx-audiocast-streamtitle: A")?.acknowledgement == nil)
  }

  @Test("1,023 bytes are read, and no more")
  func lengths() {
    let head = "x-audiocast-streamtitle: "
    #expect(read(head + String(repeating: "A", count: 1_023 - head.utf8.count))?.title != nil)
    #expect(read(head + String(repeating: "A", count: 1_024 - head.utf8.count)) == nil)
  }

  @Test("Random bytes are readable", arguments: 0..<5 as Range<UInt64>)
  func random(_ seed: UInt64) {
    var random = SeededGenerator(seed)
    for _ in 0..<2_000 {
      var bytes = Array("x-audiocast-udpseqnr: 1\r\nx-audiocast-streamtitle: A\r\n".utf8)
      for _ in 0..<4 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
      _ = read(bytes)
    }
  }
}
