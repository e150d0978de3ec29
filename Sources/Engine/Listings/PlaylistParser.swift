import Framing

/// Reads the playlists that stations give out, leniently: what cannot be understood is skipped.
public enum PlaylistParser {
  /// The longest playlist, in bytes.
  public static let byteLimit = 1 << 20
  /// The most entries; those after it are left out.
  public static let entryLimit = 1_000
  /// What all the entries' references and titles may take, in bytes of UTF-8; the entries after it are left out.
  public static let textLimit = 512 << 10
  /// The longest line, reference or title, in bytes of UTF-8; an entry with a longer reference is left out.
  public static let lineLimit = 4_096

  /// The entries of a playlist in the order to be tried, at least one.
  ///
  /// The text may be UTF-8, UTF-16 or windows-1252, with any line ends. In damaged XML the tracks before the damage
  /// count. Any thread; linear in the input, which it does not keep.
  ///
  /// - Throws: `ListingError`: `.tooLarge` over `byteLimit`; `.malformed` for XML that breaks before its first track,
  ///   nests too deep or declares entities, and for markup in place of an M3U; `.empty` where no entry is left.
  public static func entries(of bytes: Span<UInt8>, kind: PlaylistKind) throws(ListingError) -> [ListEntry] {
    guard bytes.count <= byteLimit else { throw .tooLarge }
    let text = ListingText(decoding: bytes)
    guard let first = text.first else { throw .empty }
    let entries =
      switch kind {
      case .pls: NumberedList(text).entries
      case .m3u: try LineList(text).entries
      case .xspf: try XspfList(text).entries
      case .opml: try OpmlList(text).entries
      case .feed: try feedEntries(bytes)
      case .asx: first == UInt8(ascii: "[") ? NumberedList(text).entries : AsxList(text).entries
      }
    guard !entries.isEmpty else { throw .empty }
    var textLength = 0
    return Array(
      entries.prefix { entry in
        textLength += entry.reference.utf8.count + (entry.title?.utf8.count ?? 0)
        return textLength <= textLimit
      })
  }

  /// The episodes of a podcast that is in memory already.
  private static func feedEntries(_ bytes: Span<UInt8>) throws(ListingError) -> [ListEntry] {
    var reader = FeedReader()
    reader.append(bytes)
    return try reader.finish().episodes.map {
      ListEntry(reference: $0.reference, title: $0.title, seconds: $0.seconds)
    }
  }
}
