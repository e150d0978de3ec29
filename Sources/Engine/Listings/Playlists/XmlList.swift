/// Collects the entries of an XML playlist.
protocol XmlList: XmlHandler {
  var entries: [ListEntry] { get }
}

extension XmlList {
  /// Reads a playlist. In a damaged playlist, the entries before the damage count.
  ///
  /// - Throws: The fault of `XmlReader`, without any entry.
  func entries(in text: ListingText) throws(ListingError) -> [ListEntry] {
    do {
      try XmlReader(to: self).read(Array(text.characters.utf8).span)
    } catch {
      if entries.isEmpty { throw error }
    }
    return entries
  }
}
