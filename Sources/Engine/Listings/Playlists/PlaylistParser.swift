import Framing

/// Parses stations' playlists leniently and skips unreadable parts.
public enum PlaylistParser {
  /// Maximum size of a playlist, in bytes.
  public static let byteLimit = 1 << 20
  /// Maximum size of all references and titles, in bytes of UTF-8; later entries are omitted.
  public static let textLimit = 512 << 10

  /// Returns a playlist's entries in the order to try them, at least one.
  ///
  /// Accepts UTF-8, UTF-16, declared encodings and windows-1252 with any line ends. In damaged XML, tracks before the
  /// damage count. `contentType`: the header field, for a playlist that declares no encoding. Any thread; linear in the
  /// input.
  ///
  /// - Throws: `ListingError`: `.tooLarge` over `byteLimit`; `.malformed` for markup instead of M3U, and for XML with
  ///   an error before the first track: damage, deep nesting or declared entities; `.empty` without entries.
  public static func entries(
    of bytes: Span<UInt8>, kind: PlaylistKind, contentType: String? = nil
  ) throws(ListingError) -> [ListEntry] {
    guard bytes.count <= byteLimit else { throw .tooLarge }
    let text = ListingText(decoding: bytes, contentType: contentType)
    guard let first = text.first else { throw .empty }
    let entries =
      switch kind {
      case .pls: NumberedList(text).entries
      case .m3u: try LineList(text).entries
      case .xspf: try XspfList().entries(in: text)
      case .opml: try OpmlList().entries(in: text)
      case .feed: try feedEntries(bytes, contentType)
      case .asx: first == UInt8(ascii: "[") ? NumberedList(text).entries : AsxList(text).entries
      }
    guard !entries.isEmpty else { throw .empty }
    var textLength = 0
    return Array(
      entries.prefix { entry in
        textLength += entry.reference.utf8.count + entry.options.utf8.count + (entry.title?.utf8.count ?? 0)
        return textLength <= textLimit
      })
  }

  /// Returns the stations in Radiotray's bookmarks or Kodi's favourites (XML); nil for another file.
  ///
  /// - Throws: As `entries(of:kind:)` does.
  public static func bookmarks(of bytes: Span<UInt8>) throws(ListingError) -> [ListEntry]? {
    guard bytes.count <= byteLimit else { throw .tooLarge }
    let list = BookmarkList()
    let entries = try list.entries(in: ListingText(decoding: bytes))
    guard list.root == "bookmarks" || list.root == "favourites" else { return nil }
    guard !entries.isEmpty else { throw .empty }
    return entries
  }

  /// Returns the encoding that a playlist declares, if unknown, so that the text is read as windows-1252; else nil.
  public static func unknownEncoding(of bytes: Span<UInt8>) -> String? {
    let bytes = (0..<min(bytes.count, byteLimit)).map { bytes[$0] }
    guard let name = DeclaredEncoding.listName(in: bytes), DeclaredEncoding(name) == nil,
      String(validating: bytes, as: UTF8.self) == nil
    else { return nil }
    return DisplayText.clean(name, characterLimit: 40)
  }

  private static func feedEntries(
    _ bytes: Span<UInt8>, _ contentType: String?
  ) throws(ListingError) -> [ListEntry] {
    var reader = FeedReader(contentType: contentType)
    reader.append(bytes)
    return try reader.finish().episodes.map {
      ListEntry(reference: $0.reference, title: $0.title, seconds: $0.seconds)
    }
  }
}
