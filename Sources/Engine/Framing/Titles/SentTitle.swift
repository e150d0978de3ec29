/// A title in the form of its station: plain text, or the fields of an automation system, such as
/// `Artist - text="Title" song_spot="M"` and `title="Title",artist="Artist"`. Character references are decoded.
package struct SentTitle: Equatable, Sendable {
  /// The artist, if sent apart from the title; not yet cleaned for display.
  package private(set) var artist: String?
  /// The title, with the artist if both are one text; empty without a title. Not yet cleaned for display.
  package private(set) var track: String

  /// Artist and title.
  package var text: String { (artist.map { $0 + " - " } ?? "") + track }

  /// Nil for a mark of an ad, and for fields without a title.
  package init?(_ text: String) {
    if let fields = QuotedFields(text) {
      guard Self.isSong(fields), let title = Self.title(of: fields) else { return nil }
      (artist, track) = (Self.artist(of: fields, besides: title), title)
      if Self.isAddress(track) { return nil }
    } else {
      track = Self.withoutLooseDashes(CharacterReference.decoded(text))
    }
    if AdMark(self.text) != nil || AdMark(track) != nil { return nil }
  }

  private static let maxDepth = 3

  /// Returns the title, which may be in fields within a field; nil without a title.
  static func title(of fields: QuotedFields) -> String? {
    var title = fields["title"] ?? fields["text"]
    for _ in 0..<maxDepth {
      guard let inner = title.flatMap({ QuotedFields($0) }), let text = inner["text"] else { break }
      title = isSong(inner) ? text : nil
    }
    if title == nil, fields["song_spot"] != nil, !bare(fields.lead).isEmpty { title = fields.lead }
    return title.map { bare(CharacterReference.decoded($0)) }
  }

  /// Nil if the title repeats the artist.
  private static func artist(of fields: QuotedFields, besides title: String) -> String? {
    let sent = fields["artist"] ?? (fields["text"] == nil ? "" : fields.lead)
    let artist = withoutLooseDashes(CharacterReference.decoded(sent))
    let isRepeated = title == artist || title.hasPrefix(artist + " - ")
    return artist.isEmpty || title.isEmpty || isRepeated ? nil : artist
  }

  /// `song_spot` is "M" for music, "T" for talk and ads. "F" fills time with a song, or with an ad that has no number.
  static func isSong(_ fields: QuotedFields) -> Bool {
    let details = fields["url"].flatMap { QuotedFields($0) } ?? fields
    if fields["adw_ad"] == "true" || details["adw_ad"] == "true" { return false }
    guard let spot = fields["song_spot"] ?? details["song_spot"] else { return true }
    switch spot {
    case "M", "m": return true
    case "T", "t", "C", "c": return false
    default: return numbers.contains { details[$0].flatMap { Int($0) } ?? 0 > 0 }
    }
  }

  /// Fields with the number of a song in a catalogue.
  private static let numbers = ["mediabaseid", "itunestrackid", "amgartistid", "taid", "tpid", "cartcutid"]

  private static func isAddress(_ text: String) -> Bool {
    (text.hasPrefix("http://") || text.hasPrefix("https://")) && !text.utf8.contains(UInt8(ascii: " "))
  }

  /// The text without the dash of an absent artist or title: " - Title", "Artist - ".
  private static func withoutLooseDashes(_ text: String) -> String {
    var text = bare(text)
    if text == "-" { return "" }
    if text.hasPrefix("- ") { text = bare(String(text.dropFirst(2))) }
    if text.hasSuffix(" -") { text = bare(String(text.dropLast(2))) }
    return text
  }

  private static func bare(_ text: String) -> String {
    guard text.first == " " || text.last == " " else { return text }
    let bytes = text.utf8.drop { $0 == UInt8(ascii: " ") }
    let end = bytes.lastIndex { $0 != UInt8(ascii: " ") }
    return end.map { String(Substring(bytes[...$0])) } ?? ""
  }
}
