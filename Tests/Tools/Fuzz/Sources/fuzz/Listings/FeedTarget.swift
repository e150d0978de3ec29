import Listings

/// Reads any bytes as a podcast feed. The first bytes choose the sizes of the pieces.
final class FeedReading: FuzzTarget {
  static let name = "feed"
  static let seeds =
    [
      "\u{0}\u{1}<?xml version='1.0'?><rss xmlns:i='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel>"
        + "<title>a</title>"
        + "<i:type>serial</i:type><item><title>b &amp; c</title><guid>d</guid>"
        + "<pubDate>Wed, 27 Apr 2011 07:00:00 EDT</pubDate>"
        + "<enclosure url='e.ogg' type='audio/ogg' length='1'/><enclosure url='f.mp3'/><i:duration>1:02:03</i:duration>"
        + "</item></channel></rss>",
      "\u{1}\u{1}\u{2}<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://a/b/'><entry><id>c</id>"
        + "<title type='html'>&lt;b>d&amp;eacute;</title><published>2003-12-13T18:30:02+01:00</published>"
        + "<link rel='enclosure' href='/e.mp3' type='audio/mpeg'/></entry></feed>",
      "\u{0}\u{3}<!DOCTYPE rss [<!ENTITY a 'b'>]><rss><item><title>a & b<c></x>&#150;<![CDATA[&d;]]></title>"
        + "<media:content url='a?b=1&c=2' medium='audio' duration='7'/><item><enclosure url='2'/></rss>",
      "\u{0}\u{2}<?xml encoding='ISO-8859-1'?><rdf:RDF><channel><title>\u{E9}</title></channel><item rdf:about='a'>"
        + "<dc:date>20110427T0700Z</dc:date><enclosure url='a.aac'/></item></rdf:RDF>",
    ].map { Array($0.utf8) } + [
      [0, 1, 0xFF, 0xFE]
        + "<rss><title>é😀</title><item><enclosure url='a'/></item>".utf16.flatMap {
          [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
        }
    ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let sizes = (0...recipe.number(0...1)).map { _ in recipe.number(1...256) }
    let text = recipe.rest()
    let whole = read(text, sizes: [max(1, text.count)])
    expect(whole == read(text, sizes: sizes), "a feed is the same however it is cut")
    guard case .success(let feed) = whole else { return }
    expect((1...FeedLimits.maxEpisodeCount).contains(feed.episodes.count), "a feed has 1 … 500 episodes")
    expect(isTitle(feed.title), "a podcast's title has its measure")
    for episode in feed.episodes {
      expect((1...FeedLimits.maxReferenceLength).contains(episode.reference.utf8.count), "a reference has its measure")
      expect(episode.reference.unicodeScalars.allSatisfy(isClean), "a reference can be fetched as it is")
      expect(
        (1...FeedLimits.maxReferenceLength).contains(episode.identifier.utf8.count), "an identifier has its measure")
      expect(isTitle(episode.title), "a title has its measure")
      expect(episode.seconds.map { $0 >= 1 } ?? true, "an episode lasts")
      expect(episode.date.map { -2_208_988_800 - 86_400...253_402_387_200 ~= $0 } ?? true, "a date lies in our time")
    }
  }

  private func read(_ text: [UInt8], sizes: [Int]) -> Result<Feed, ListingError> {
    var reader = FeedReader()
    var (start, count) = (0, 0)
    while start < text.count {
      let end = min(text.count, start + sizes[count % sizes.count])
      reader.append(text.span.extracting(start..<end))
      (start, count) = (end, count + 1)
    }
    do { return .success(try reader.finish()) } catch { return .failure(error) }
  }

  private func isTitle(_ title: String?) -> Bool {
    title.map { (1...FeedLimits.maxTitleLength).contains($0.utf8.count) } ?? true
  }

  private func isClean(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x20 && !(0x7F..<0xA0).contains(scalar.value)
  }
}
