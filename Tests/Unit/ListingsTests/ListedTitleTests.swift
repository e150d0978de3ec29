import Listings
import Testing

/// Some lists use an item's address as its title, which may contain secrets.
struct ListedTitleTests {
  @Test(
    "A title shows no secret part of the item's address",
    arguments: [
      ("/turn?pin=geheim", "/turn?pin=geheim", nil), ("Radio", "/turn?pin=geheim", "Radio"),
      ("See /turn?pin=geheim", "/turn?pin=geheim", nil), ("turn?pin=geheim", "http://h/turn?pin=geheim", nil),
      ("http://h/a?n=My Radio&token=geheim", "http://h/a?n=My Radio&token=geheim", nil),
      ("http://h/a?n=My Radio&token=geheim", "http://h/a?n=My%20Radio&token=geheim", nil),
      ("Radio\u{7}  &token=geheim x", "http://h/a?n=My Radio &token=geheim", "Radio &token=geheim x"),
      ("anna:geheim@h/live", "http://anna:geheim@h/live", nil), ("//anna:geheim@h/", "/a", "//h/"),
      ("http://a/x,http://anna:geheim@h/", "/a", "http://a/x,http://h/"), ("AC/DC? Yes", "/a?b", "AC/DC? Yes"),
      ("a", "a", "a"), ("", "/a", nil), ("Why?", "http://h/a", "Why?"),
    ])
  func shows(_ title: String, _ reference: String, _ shown: String?) {
    #expect(ListEntry(reference: reference, title: title).shownTitle == shown)
    #expect(Episode(reference: reference, title: title).shownTitle == shown)
  }
}
