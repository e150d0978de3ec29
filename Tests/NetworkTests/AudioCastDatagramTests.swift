import SeededRandom
import Testing

@testable import Network

/// AudioCast's datagrams (R6.5).
@Suite struct AudioCastDatagramTests {
  private func read(_ text: String) -> AudioCastDatagram? { read(Array(text.utf8)) }
  private func read(_ bytes: [UInt8], _ encoding: String? = nil) -> AudioCastDatagram? {
    AudioCastDatagram(bytes.span, TitleText(encoding: encoding))
  }

  @Test("number, title and address are read, in any case and with any end of line")
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

  @Test("titles are cleaned, in the encoding that is set, or else as they look")
  func text() {
    let title = Array("x-audiocast-streamtitle: ".utf8)
    #expect(read(title + [0xC6, 0xE0], "windows-1251")?.title == "Жа")
    #expect(read(title + [0x43, 0xE9])?.title == "Cé")
    #expect(read(title + Array("A\u{1B}[0m\u{202E}B".utf8))?.title == "A[0mB")
  }

  @Test(
    "what is not AudioCast's is nothing",
    arguments: ["", "\r\n", "x-audiocast-", "x-audiocast-streamtitle", "icy-name: x", "x-audiocast-else: 1"])
  func nothing(_ text: String) { #expect(read(text) == nil) }

  @Test("numbers that cannot be are not acknowledged", arguments: ["-1", "x", "99999999999999999999", ""])
  func numbers(_ number: String) {
    #expect(read("x-audiocast-udpseqnr: \(number)\r\nx-audiocast-streamtitle: A")?.acknowledgement == nil)
  }

  @Test("1,023 bytes are read, more are not")
  func lengths() {
    let head = "x-audiocast-streamtitle: "
    #expect(read(head + String(repeating: "A", count: 1_023 - head.utf8.count))?.title != nil)
    #expect(read(head + String(repeating: "A", count: 1_024 - head.utf8.count)) == nil)
  }

  @Test("random bytes can be read", arguments: 0..<5 as Range<UInt64>)
  func random(_ seed: UInt64) {
    var random = SeededGenerator(seed)
    for _ in 0..<2_000 {
      var bytes = Array("x-audiocast-udpseqnr: 1\r\nx-audiocast-streamtitle: A\r\n".utf8)
      for _ in 0..<4 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
      _ = read(bytes)
    }
  }
}
