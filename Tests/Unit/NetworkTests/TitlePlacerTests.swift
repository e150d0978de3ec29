import Framing
import Testing
import Units

@testable import Network

/// The reported titles and their start times, with simulated clocks.
struct TitlePlacerTests {
  /// The start time of a reported title; nil without a report.
  private func place(_ notice: NetNotice?) -> Double? {
    switch notice {
    case .title(_, _, _, let time), .externalTitle(_, let time): time.seconds
    default: nil
    }
  }

  private func air(at time: Double, silence: Double = 0, lag: Double = 0) -> OnAir {
    let now = MonotonicTime(seconds: 100)
    return OnAir(
      line: .none, settled: now, lastData: now - Duration(seconds: silence), lag: lag,
      time: StreamTime(seconds: time))
  }

  /// Places a title with time `moment` from a feed. The current time is 100 s, and 5,000 s since 1970.
  private func place(
    _ placer: inout TitlePlacer, _ track: String, of moment: Double?, _ air: OnAir, delay: Double = 0
  ) -> Double? {
    place(
      placer.place(
        beside: ExternalTitle(track: track), of: moment, on: air, delay: delay, at: MonotonicTime(seconds: 100),
        wall: 5_000))
  }

  @Test(
    "An external title starts at its moment in the stream",
    arguments: [
      // Time from the feed, silence, lag, delay of the station; seconds from the last packet to the title.
      (nil, 0, 0, 0, 0), (5_000, 0, 0, 0, 0), (4_990, 0, 0, 0, -10), (5_010, 0, 0, 0, 10), (nil, 0, 0, 3, 3),
      (5_000, 0, 0, 3, 3), (nil, 2, 0, 0, 2), (5_000, 2, 0, 0, 2), (4_998, 2, 0, 0, 0), (nil, 0, 4, 0, 0),
      (5_000, 0, 4, 0, 4), (4_996, 0, 4, 0, 0), (1e12, 0, 0, 0, 1e6), (nil, 0, 0, -3_600, -1_000),
    ] as [(Double?, Double, Double, Double, Double)])
  func besideTheStream(moment: Double?, silence: Double, lag: Double, delay: Double, ahead: Double) throws {
    var placer = TitlePlacer()
    let time = place(&placer, "A", of: moment, air(at: 1_000, silence: silence, lag: lag), delay: delay)
    // A title cannot start before the programme.
    #expect(abs(try #require(time) - (1_000 + ahead)) < 1e-6)
  }

  @Test("No title repeats in a row, and no external one precedes a reported one")
  func order() {
    var placer = TitlePlacer()
    let here = StreamTime(seconds: 50)
    #expect(place(placer.place(StationTitle(text: "A"), at: here)) == 50)
    #expect(place(placer.place(StationTitle(text: "A"), at: here + here)) == nil)
    #expect(place(&placer, "A", of: nil, air(at: 120)) == nil)
    #expect(place(&placer, "B", of: 4_900, air(at: 120)) == 50)
    #expect(place(&placer, "C", of: 4_990, air(at: 120)) == 110)
    #expect(place(&placer, "D", of: 4_950, air(at: 120)) == 110)
    #expect(place(placer.place(StationTitle(text: "A"), at: here)) == 50)
  }

  @Test("A tag that each segment repeats does not replace the list's title, and an empty one clears only a tag")
  func tags() {
    var placer = TitlePlacer()
    let (list, tag) = (StationTitle(text: "A"), StationTitle(text: "B", origin: .segment))
    let empty = StationTitle(text: "", origin: .tags)
    #expect(placer.place(empty, at: .zero) == nil)
    let places = [list, tag, list, tag, list, empty].map { placer.place($0, at: .zero) != nil }
    #expect(places == [true, true, true, false, false, false])
  }

  @Test(
    "Tags begin a song even if repeated, and empty tags clear only a title from tags",
    arguments: [
      (["tags C", "tags", "tags", "tags C"], [true, true, false, true]),
      // The ICY title confirms that of the tags, which then no longer clear it.
      (["tags A", "A", "tags"], [true, false, false]), (["A", "tags A", "tags"], [true, false, true]),
      // A jingle between two parts of a song.
      (["tags A", "X", "tags A"], [true, true, true]), (["A", "tags"], [true, false]),
    ])
  func containers(titles: [String], told: [Bool]) {
    var placer = TitlePlacer()
    let places = titles.map { text in
      let isTag = text.hasPrefix("tags")
      let title = isTag ? text.dropFirst(5) : text[...]
      return placer.place(StationTitle(text: String(title), origin: isTag ? .tags : .stream), at: .zero) != nil
    }
    #expect(places == told)
  }

  @Test(
    "An ICY title that starts with the artist of the previous title is not split",
    arguments: [
      (["Ann - A", "Ann - The news", "Ann - Weather"], [false, true, true]),
      (["Ann - A", "Bob - B", "Ann - C"], [false, false, false]), (["Ann - A", "", "Ann - A"], [false, false, false]),
      (["Ann - A", "Ann - Bob - B", "Bob - C"], [false, true, false]),
      (["A", "A - B", "A - B - C"], [false, false, true]),
      (["Ann - A", "Annie - B"], [false, false]),
    ])
  func repeatedArtists(titles: [String], areWhole: [Bool]) {
    for (origin, isIcy) in [(StationTitle.Origin.stream, true), (.list, false), (.tags, false)] {
      var placer = TitlePlacer()
      let whole = titles.map { text in
        if case .title(_, _, let isWhole, _) = placer.place(StationTitle(text: text, origin: origin), at: .zero) {
          return isWhole
        }
        return false
      }
      #expect(whole == areWhole.map { $0 && isIcy })
    }
  }

  @Test("Tags with only an artist are ignored")
  func artistAlone() {
    var placer = TitlePlacer()
    #expect(placer.place(StationTitle(StreamTags(artist: "X")), at: .zero) == nil)
    #expect(placer.place(StationTitle(StreamTags(title: "A", artist: "X")), at: .zero) != nil)
  }

  @Test("An artist distinguishes titles")
  func artist() {
    var placer = TitlePlacer()
    #expect(placer.place(StationTitle(text: "X - A"), at: .zero) != nil)
    let same = ExternalTitle(artist: "X", track: "A")
    let notice = placer.place(
      beside: same, of: nil, on: air(at: 1), delay: 0, at: MonotonicTime(seconds: 100), wall: 5_000)
    #expect(notice == nil)
  }

  @Test("Sixteen titles are remembered for repeated packets", arguments: [(15, false), (16, true)])
  func forgotten(later: Int, isTold: Bool) {
    var placer = TitlePlacer()
    for text in ["A"] + (1...later).map({ "Later \($0)" }) { _ = placer.place(StationTitle(text: text), at: .zero) }
    let title = ReleasedTitle(title: StationTitle(text: "A"), at: StreamTime(seconds: 9), isRepeated: true)
    #expect(place(placer.place(title)) == (isTold ? 9 : nil))
  }

  @Test(
    "A waiting title is emitted unless already emitted with its packets",
    arguments: [(true, true, false), (true, false, true), (false, true, true), (false, false, true)])
  func released(isRepeated: Bool, wasTold: Bool, isTold: Bool) {
    var placer = TitlePlacer()
    _ = placer.place(StationTitle(text: wasTold ? "A" : "Z"), at: .zero)
    _ = placer.place(StationTitle(text: "B"), at: .zero)
    let title = ReleasedTitle(title: StationTitle(text: "A"), at: StreamTime(seconds: 9), isRepeated: isRepeated)
    #expect(place(placer.place(title)) == (isTold ? 9 : nil))
  }
}
