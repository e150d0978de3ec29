import Settings
import TestSupport
import Testing
import Units

/// Where episodes were left (E5).
@Suite struct BookmarkTests {
  @Test("places are saved and loaded in their order, and the oldest of too many is forgotten")
  func roundTrip() throws {
    let folder = TemporaryFolder()
    let file = StateFile(folder: folder.path)
    var state = SavedState()
    for number in 0..<150 {
      state.bookmarks.note(Bookmark("episode \(number)", seconds: number * 7, isHeard: number % 5 == 0))
    }
    state.bookmarks.note(Bookmark("episode 100", seconds: 9))
    try file.save(state)
    let loaded = file.load().state
    #expect(loaded == state && loaded.bookmarks.list.count == Bookmarks.most)
    #expect(loaded.bookmarks["episode 100"]?.seconds == 9 && loaded.bookmarks.rank(of: "episode 100") == 0)
    #expect(loaded.bookmarks["episode 145"]?.isHeard == true && loaded.bookmarks["episode 49"] == nil)
    #expect(loaded.bookmarks["episode 51"]?.seconds == 357)
  }

  @Test("a file with a place that is none is set aside", arguments: ["zz 3", "12", "12 -4", "12 3 4", "12 soon"])
  func damaged(line: String) throws {
    let folder = TemporaryFolder()
    let file = StateFile(folder: folder.path)
    var state = SavedState()
    state.bookmarks.note(Bookmark("a", seconds: 3))
    try file.save(state)
    let text = String(decoding: folder.bytes(of: "state"), as: UTF8.self)
    let place = try #require(text.firstRange(of: "bookmark=")).upperBound
    let rest = text[place...].drop { $0 != "\n" }
    folder.write(Array((text[..<place] + line + rest).utf8), to: "state")
    #expect(file.load().problem != nil)
  }

  @Test("the place in an episode is written once a minute, and another episode, its end and the end of the run at once")
  func rarely() {
    var state = SavedState()
    state.bookmarks.note(Bookmark("a", seconds: 10))
    var writer = SavedStateWriter(written: state)
    var writes: [Int] = []
    for second in 1...200 {
      state.bookmarks.note(Bookmark("a", seconds: 10 + second))
      writer.note(state, at: MonotonicTime(seconds: Double(second)))
      if writer.take(at: MonotonicTime(seconds: Double(second))) != nil { writes.append(second) }
    }
    #expect(writes == [60, 120, 180])
    #expect(writer.takeLast()?.bookmarks["a"]?.seconds == 210)
    state.bookmarks.note(Bookmark("b", seconds: 1))
    writer.note(state, at: MonotonicTime(seconds: 299))
    #expect(writer.take(at: MonotonicTime(seconds: 300)) != nil)
    state.bookmarks.note(Bookmark("b", seconds: 0, isHeard: true))
    writer.note(state, at: MonotonicTime(seconds: 310))
    #expect(writer.take(at: MonotonicTime(seconds: 311)) != nil)
  }
}
