import Listings
import Units

/// Reads any bytes as a now-playing feed with its times. The first bytes choose the sizes of the pieces.
final class NowPlayingReading: FuzzTarget {
  static let name = "now-playing"
  static let seeds =
    [
      "\u{0}\u{1}\u{5}<?xml version='1.0' encoding='ISO-8859-1'?><export><audio ID='1'><type>Song</type>"
        + "<status>Playing</status><played_time>09:41:18</played_time><length>3:03</length><composer/>"
        + "<title>a &amp; b</title><artist>c</artist></audio><audio><type>Spot</type><start>2026-11-01 01:30:00</start>"
        + "<title>d</title></audio></export>",
      "\u{1}\u{1}\u{2}\u{9}<Playlist><Refresh>42</Refresh><PlaylistEntry><Title/><Artist/></PlaylistEntry>"
        + "<PlaylistEntry><Title>a</Title><Seconds>211</Seconds><ECommerceURL>http://a/</ECommerceURL></PlaylistEntry>",
      "\u{0}\u{3}\u{1}<event><artist>a</artist><title>b & c<d></x>&#150;<![CDATA[&d;]]></title>"
        + "<duration>180000</duration><eventcategory>MUS</eventcategory></event>",
      "\u{0}\u{2}\u{3}<r><nowplaying><song title='a' artist='b' time='1497987740123'/></nowplaying><next>"
        + "<song title='c' start='2017-06-20T19:42:20+03:00' end='11:59 pm'/></next></r>",
      "\u{0}\u{1}\u{4}<!DOCTYPE l [<!ENTITY a 'b'>]><l><e><title>&a;</title></e></l>",
    ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let sizes = (0...recipe.number(0...1)).map { _ in recipe.number(1...256) }
    let now = Double(recipe.byte()) * 31_557_600 / 4 + 1_700_000_000
    let text = recipe.rest()
    let whole = read(text, sizes: [max(1, text.count)])
    expect(whole == read(text, sizes: sizes), "a feed is the same however it is cut")
    guard case .success(let feed) = whole else { return }
    expect(feed.events.count <= 64, "a feed has 64 events at most")
    for event in feed.events {
      for text in [event.title, event.artist, event.url].compactMap({ $0 }) {
        expect((1...512).contains(text.utf8.count), "a text has its measure")
        expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }, "it is clean")
      }
      expect(event.length.map { $0 > 0 && $0 <= 86_400 } ?? true, "what lasts, lasts a day at most")
    }
    for zone in [nil, StationZone("EST"), StationZone("NZT")] {
      let schedule = NowPlayingSchedule(feed, now: now, zone: zone, delay: Double(text.count % 7_200 - 3_600))
      expect((5...600).contains(schedule.wait), "a feed is asked every 5 s to 10 min")
      expect(schedule.song.map { $0.isNamed && $0.isSong } ?? true, "a song that is told has a name")
      expect(schedule.start.map { $0 <= now + 5 } ?? true, "what is on has begun")
    }
    expect((5...600).contains(NowPlayingSchedule(live365: feed).wait), "Live365's too")
  }

  private func read(_ text: [UInt8], sizes: [Int]) -> Result<NowPlayingFeed, ListingError> {
    var reader = NowPlayingFeedReader()
    var (start, count) = (0, 0)
    while start < text.count {
      let end = min(text.count, start + sizes[count % sizes.count])
      reader.append(text.span.extracting(start..<end))
      (start, count) = (end, count + 1)
    }
    do { return .success(try reader.finish()) } catch { return .failure(error) }
  }
}

final class NowPlayingTimes: FuzzTarget {
  static let name = "now-playing-time"
  static let longest = 100
  static let seeds = [
    "\u{0}09:41:18", "\u{1}9:41 pm", "\u{2}2017-06-20 19:42:20", "\u{3}20170620194220", "\u{4}1497987740123",
    "\u{5}Tue, 20 Jun 2017 19:42:20 EDT", "\u{6}25:10", "\u{7}00:03:03.500", "\u{8}2017-06-20T19:42:20+03:00",
  ].map { Array($0.utf8) }

  private let zones = StationZone.letters.compactMap { StationZone($0) }

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let zone = recipe.pick(zones)
    let text = String(decoding: recipe.rest(), as: UTF8.self)
    expect(NowPlayingLength.seconds(text).map { $0 > 0 && $0 <= 86_400 } ?? true, "what lasts, lasts a day at most")
    guard let time = NowPlayingTime(text) else { return }
    for now in [Int64(0), 1_767_600_000, 1_772_953_200, 1_793_512_800] {
      guard let moment = time.moment(near: now, in: zone) else { fatalError("with a zone every time is a moment") }
      if case .clock = time { expect(abs(moment - now) <= 43_200 + 3_600, "a clock's time is the nearest") }
    }
  }
}
