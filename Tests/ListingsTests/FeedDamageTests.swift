import Listings
import TestSupport
import Testing

@Suite("Damaged and hostile feeds")
struct FeedDamageTests {
  @Test(
    "what is nearly XML is mended",
    arguments: [
      Case("<title>A & B</title>", "A & B"), Case("<title>A&B;C</title>", "A&B;C"),
      Case("<title>1 < 2 <3 <- a</title>", "1 < 2 <3 <- a"), Case("<title>Joe <joe@a.example></title>", "Joe"),
      Case("<title>a\u{0}b\u{8}c\u{1F}</title>", "abc"), Case("<title>a&#8;b&#x1F;</title>", "ab"),
      Case("<title>a\u{FFFF}b\u{FFFE}</title>", "ab"), Case("<title>a</TITLE>", "a"),
      Case("<x><y></x><title>a</title></z>", "a"), Case("<title><b>a</title>", "a"),
      Case("<description>a<br>b<p></description><title>a</title>", "a"), Case("<!-- -- --><title>a</title>", "a"),
      Case("<!ELEMENT x><![x]><title>a</title>", "a"), Case("<?php a ?><title>a</title>", "a"),
      Case("<link href='a?b=c&d=e&lt;<f>'/><title>a</title>", "a"),
    ])
  func mended(_ one: Case<String?>) throws {
    #expect(try feed(rss(item(one.text) + item())).episodes.map(\.title) == [one.outcome, nil])
  }

  @Test("a reference may hold what XML forbids")
  func references() throws {
    let text = rss("<item><enclosure url='http://a/?b=1&c=2&copy=3&amp;d=4&#x35;'/></item>")
    #expect(try feed(text).episodes.map(\.reference) == ["http://a/?b=1&c=2&copy=3&d=45"])
  }

  @Test(
    "what stands around the feed does not matter",
    arguments: [
      "\n\n  ", "\u{FEFF}", "\u{FEFF} \n", "Warning: a & b > c\n", "<!-- a --><?b?>",
      "<!DOCTYPE rss PUBLIC \"-//a\" \"http://a/b.dtd\">",
      "<!DOCTYPE rss [\n<!ENTITY % a PUBLIC \"b\" \"c\">\n%a;\n]>",
      "<!DOCTYPE rss [<!-- don't --><!ENTITY a \"b>\">] >",
    ])
  func around(_ before: String) throws {
    let text = before + "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone='no'?>\n" + rss(item("<title>é</title>"))
    #expect(try feed(text + "\n</rss><script>a && b</script>").episodes.map(\.title) == ["é"])
  }

  @Test(
    "the episodes before the damage count",
    arguments: [
      "<item><title>cut", "<item><enclosure url='b.mp3'/>", "<a b>", "<a b=c>", "<a b='1' b='2'/>", "<a b='",
      "<![CDATA[", "<!--", "<!DOCTYPE [", "</", "<", "&", "\u{0}",
    ])
  func damage(_ end: String) throws {
    #expect(try feed("<rss><channel>" + item("<title>a</title>") + end).episodes.map(\.title) == ["a"])
    #expect(throws: ListingError.self) { try feed("<rss>\n<channel>" + end) }
  }

  @Test("damage is told by its line")
  func lines() {
    let text = "\n<?xml version='1.0'?>\n<!-- a\nb -->\n<rss>\n<a b='1' b='2'/></rss>"
    #expect(throws: ListingError.malformed(line: 6)) { try feed(text) }
  }

  @Test("an item that does not end ends with the next")
  func openItems() throws {
    let open = "<item><title>a</title><enclosure url='1.mp3'/><item><title>b</title><enclosure url='2.mp3'/></item>"
    #expect(try feed(rss(open)).episodes.map(\.title) == ["a", "b"])
  }

  @Test("no entity grows, and nothing outside is fetched")
  func entities() throws {
    let entities = (1...9).map { "<!ENTITY l\($0) \"" + String(repeating: "&l\($0 - 1);", count: 10) + "\">" }
    let bomb = "<!DOCTYPE rss [<!ENTITY l0 \"lol\">\(entities.joined())<!ENTITY e SYSTEM \"file:///etc/hostname\">]>"
    #expect(try feed(bomb + rss(item("<title>&l9;&e;</title>"))).episodes.map(\.title) == ["&l9;&e;"])
  }

  @Test("elements may stand 64 deep")
  func depth() throws {
    func nested(_ count: Int) -> String {
      item() + String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count) + item()
    }
    #expect(try feed(rss(nested(62))).episodes.count == 2)
    #expect(try feed(rss(nested(63))).episodes.count == 1)
    #expect(throws: ListingError.malformed(line: 1)) { try feed(String(repeating: "<a>", count: 1 << 20)) }
  }

  @Test(
    "much of one thing takes linear time", .timeLimit(.minutes(1)),
    arguments: [
      "<", "<a ", "<a b='", "</", "</a", "<!--", "<![CDATA[", "<!DOCTYPE [", "<?", "&", "&#", "&amp;", "]]>", "<a>",
      "<a/>",
      "<item>", "<item><title>&lt;", "<title>", ">", "\n", "é", "\u{0}", "a",
    ])
  func repetition(_ piece: String) {
    let much = String(repeating: piece, count: (64 << 10) / piece.utf8.count)
    _ = try? feed(much)
    _ = try? feed(rss(item(much)))
    _ = try? feed(rss("<item><title>" + much))
    _ = try? feed(rss("<item a='" + much))
  }
}
