/// Collects the entries of an XML playlist.
protocol XmlList: XmlHandler {
  var entries: [ListEntry] { get }
}

extension XmlList {
  /// Reads a playlist. In a damaged playlist, the entries before the damage count. Text before the XML declaration is
  /// dropped.
  ///
  /// - Throws: The fault of `XmlReader`, without any entry.
  func entries(in text: ListingText) throws(ListingError) -> [ListEntry] {
    var bytes = Array(text.characters.utf8)
    if let start = DeclaredEncoding.xmlStart(in: bytes) { bytes.removeFirst(start) }
    do {
      try XmlReader(to: self).read(bytes.span)
    } catch {
      if entries.isEmpty { throw error }
    }
    return entries
  }
}
