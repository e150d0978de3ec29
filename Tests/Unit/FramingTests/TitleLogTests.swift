import Framing
import Testing
import Units

@Suite struct TitleLogTests {
  private func title(_ text: String) -> Title { Title(text: text, url: nil, artist: nil, track: text) }
  private func second(_ seconds: Double) -> StreamTime { StreamTime(seconds: seconds) }

  @Test("A title is returned at its time, once, in order")
  func inOrder() {
    var log = TitleLog()
    for (index, text) in ["a", "b", "c"].enumerated() { log.append(title(text), at: second(Double(index) * 2)) }
    #expect(log.removeAudible(at: second(-1)).isEmpty)
    #expect(log.removeAudible(at: .zero).map(\.title.text) == ["a"])
    #expect(log.next(after: .zero) == second(2))
    #expect(log.removeAudible(at: second(1.99)).isEmpty)
    #expect(log.removeAudible(at: second(9)).map(\.title.text) == ["b", "c"])
    #expect(log.current == title("c"))
    #expect(log.removeAudible(at: second(99)).isEmpty)
    #expect(log.next(after: second(99)) == nil)
    #expect(log.current == title("c"))
  }

  @Test("After a seek only the title at the goal is returned")
  func leaps() {
    var log = TitleLog()
    for (index, text) in ["a", "b", "c", "d"].enumerated() { log.append(title(text), at: second(Double(index) * 2)) }
    #expect(log.removeAudible(at: second(7)).count == 4)
    log.leap()
    #expect(log.removeAudible(at: second(3)).map(\.title.text) == ["b"])
    #expect(log.removeAudible(at: second(3.5)).isEmpty)
    #expect(log.removeAudible(at: second(4)).map(\.title.text) == ["c"])
    log.leap()
    #expect(log.removeAudible(at: second(-1)).isEmpty)
    #expect(log.current == nil)
    log.leap()
    #expect(log.removeAudible(at: second(6)).map(\.title.text) == ["d"])
  }

  @Test("A late title goes to its place, and the audible title stays")
  func outOfOrder() {
    var log = TitleLog()
    log.append(title("a"), at: second(0))
    log.append(title("d"), at: second(6))
    #expect(log.removeAudible(at: second(7)).map(\.title.text) == ["a", "d"])
    log.append(title("c"), at: second(4))
    log.append(title("b"), at: second(2))
    #expect(log.removeAudible(at: second(7)).isEmpty && log.current == title("d"))
    log.leap()
    #expect(log.removeAudible(at: second(3)).map(\.title.text) == ["b"])
    #expect(log.removeAudible(at: second(6)).map(\.title.text) == ["c", "d"])
    log.append(title("f"), at: second(20))
    log.append(title("e"), at: second(10))
    #expect(log.next(after: second(7)) == second(10))
    #expect(log.removeAudible(at: second(30)).map(\.title.text) == ["e", "f"])
  }

  @Test("A station with more titles than audio loses the oldest, without extra memory")
  func flood() {
    var log = TitleLog()
    for index in 0..<10_000 { log.append(title("\(index)"), at: second(Double(index))) }
    let heard = log.removeAudible(at: second(1e6))
    // The oldest 64 titles are dropped together, so that a drop costs little per title.
    #expect(heard.count == 528)
    #expect((heard.first?.title.text, heard.last?.title.text) == ("9472", "9999"))
  }
}
