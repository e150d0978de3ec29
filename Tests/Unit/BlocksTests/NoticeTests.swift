import Testing
import Units

@testable import Blocks

struct NoticeTests {
  @Test func partsComeBackInOrder() {
    let parts = coded(256) {
      $0.append(-5)
      $0.append("Für Elise")
      $0.append(nil as String?)
      $0.append("")
      $0.append(StreamTime(ticks: 1 << 50))
      $0.append("日本")
    } decode: {
      "\($0.int()) \($0.text() ?? "-") \($0.text() ?? "-") \($0.text() ?? "-") \($0.time().ticks) \($0.text() ?? "-")"
    }
    #expect(parts == "-5 Für Elise -  \(1 << 50) 日本")
  }

  @Test(
    "Text is cut at a character if there is no room",
    arguments: [
      ("abcdefghij", 16, "abcdefgh"), ("äöüäöü", 16, "äöüä"), ("aäöüäöü", 16, "aäöü"), ("日本語", 16, "日本"),
      ("👨‍👩‍👧‍👦", 16, "👨‍"), ("abc", 8, ""), ("abc", 16, "abc"),
    ])
  func textIsCut(_ text: String, _ byteCount: Int, _ expected: String) {
    #expect(
      coded(byteCount) {
        $0.append(text)
      } decode: {
        $0.text()
      } == expected)
  }

  /// A station may send a letter with a thousand accents: one character, longer than any notice.
  @Test func oneEndlessCharacterIsCutToo() {
    let text = "e" + String(repeating: "\u{301}", count: 1_000)
    let read = coded(64) {
      $0.append(text)
    } decode: {
      $0.text()
    }
    #expect(read?.utf8.count == 55)
    #expect(read.map { text.utf8.starts(with: $0.utf8) } == true)
  }

  @Test func whatWasNotWrittenReadsAsNothing() {
    let empty = coded(8) { _ in
    } decode: {
      "\($0.int()) \($0.time().ticks) \($0.text() ?? "-")"
    }
    #expect(empty == "0 0 ")
    #expect(
      coded(8) {
        $0.append(Int.max)
      } decode: {
        $0.text()
      } == nil)
    #expect(
      coded(8) {
        $0.append(8)
      } decode: {
        $0.text()
      } == nil)
    let dropped = coded(8) {
      $0.append(1)
      $0.append(2)
    } decode: {
      "\($0.int()) \($0.int())"
    }
    #expect(dropped == "1 0")
  }

  private func coded<T>(
    _ byteCount: Int, _ encode: (inout NoticeEncoder) -> Void, decode: (inout NoticeDecoder) -> T
  ) -> T {
    withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 16) { bytes in
      var encoder = NoticeEncoder(bytes)
      encode(&encoder)
      var decoder = NoticeDecoder(encoder.payload)
      return decode(&decoder)
    }
  }
}
