/// The comments of Vorbis, Opus and FLAC: who wrote them, then so many texts "NAME=value" (Vorbis I, 5.2).
struct VorbisComments: Equatable {
  /// What they say of the sound; empty where they end too early to say anything.
  private(set) var tags = StreamTags()

  /// Values of one name that are kept.
  private static let mostValues = 4

  /// Reads comments, without what stands before them and behind. A length that reaches behind the end ends them.
  init(_ bytes: Span<UInt8>) {
    var place = 0
    guard Self.text(bytes, at: &place) != nil, let count = bytes.numberLowFirst(4, at: &place) else { return }
    var artists: [String] = []
    for _ in 0..<count {
      guard let range = Self.text(bytes, at: &place) else { break }
      let comment = bytes.extracting(range)
      if let title = Self.value("TITLE", comment) {
        tags.title = tags.title ?? title
      } else if let album = Self.value("ALBUM", comment) {
        tags.album = tags.album ?? album
      } else if let artist = Self.value("ARTIST", comment), artists.count < Self.mostValues, !artists.contains(artist) {
        artists.append(artist)
      }
    }
    if !artists.isEmpty { tags.artist = artists.joined(separator: ", ") }
  }

  /// Where the text lies whose length stands at `place`, which moves behind it; nil where it is not all there.
  private static func text(_ bytes: Span<UInt8>, at place: inout Int) -> Range<Int>? {
    guard let length = bytes.numberLowFirst(4, at: &place), length <= bytes.count - place else { return nil }
    let start = place
    place += length
    return start..<place
  }

  /// The value of a comment of that name, fit to be shown; nil where it is another one, or empty.
  private static func value(_ name: StaticString, _ comment: Span<UInt8>) -> String? {
    let prefix = "\(name)="
    guard comment.count > prefix.utf8.count else { return nil }
    for (index, byte) in prefix.utf8.enumerated() {
      let isSmall = (0x61...0x7A).contains(comment[index])
      guard (isSmall ? comment[index] & 0xDF : comment[index]) == byte else { return nil }
    }
    let value = MetadataText.decode(comment.extracting(prefix.utf8.count..<comment.count))
    let text = DisplayText.clean(value, characterLimit: 256)
    return text.isEmpty ? nil : text
  }
}
