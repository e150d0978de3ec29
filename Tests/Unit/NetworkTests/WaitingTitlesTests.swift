import Testing

@testable import Network

/// ICY titles and tags of a container that wait for their packet.
struct WaitingTitlesTests {
  /// "i5 A" is an ICY title at byte 5, "t A" are tags, "p10" is a packet up to byte 10, "p" a packet of unknown place.
  @Test(
    "Each title begins with its packet, and the container's has priority",
    arguments: [
      ("i5 A|p10|p20", ["A", nil]), ("i15 A|p10|p20", [nil, "A"]), ("i5 A|i6 B|p10", ["B"]), ("i5 A|p|p", ["A", nil]),
      ("t A|p10|p20", ["A", nil]), ("t A|i3 B|p10|p20|p30", ["A", "B", nil]), ("i3 B|t A|p10|p20", ["A", "B"]),
      ("t A|i0 B|p10|p20", ["A", "B"]), ("t A|i0 B|p|p", ["A", "B"]), ("t A|i15 B|p10|p20|p30", ["A", "B", nil]),
      // After the first packet, an ICY title before the same packet as tags is dropped.
      ("p10|t A|i10 B|p20|p30", [nil, "A", nil]), ("p10|i9 B|t A|p20|p30", [nil, "A", nil]),
      ("p10|t A|i15 B|p20|p30", [nil, "A", "B"]), ("p|t A|i0 B|p|p", [nil, "A", nil]),
      ("t |i3 B|p10|p20", ["B", nil]), ("t |p10", [""]), ("p10|t |i15 B|p20", [nil, "B"]),
      ("t |i15 B|p10|p20", ["", "B"]),
    ] as [(String, [String?])])
  func order(steps: String, expected: [String?]) {
    var waiting = WaitingTitles()
    var start = 0
    var titles: [String?] = []
    for step in steps.split(separator: "|") {
      let words = step.dropFirst().split(separator: " ", omittingEmptySubsequences: false)
      let number = Int(words[0])
      let text = words.count > 1 ? String(words[1]) : ""
      switch step.first {
      case "i": waiting.append(StationTitle(text: text), at: number ?? 0)
      case "t": waiting.append(tags: StationTitle(text: text, origin: .tags))
      default:
        titles.append(waiting.next(number.map { start..<$0 })?.text)
        start = number ?? start
      }
    }
    #expect(titles == expected)
  }

  @Test("Packets of a page follow its header, one after the other")
  func pages() {
    var places = PagedPlace()
    #expect(places.next(page: 100, byteCount: 50) == 128..<178)
    #expect(places.next(page: 100, byteCount: 10) == 178..<188)
    #expect(places.next(page: 300, byteCount: 10) == 328..<338)
  }
}
