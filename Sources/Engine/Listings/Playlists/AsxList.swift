/// An ASX list: `<entry>` elements with a `<title>` and `<ref href="…">`, and `<entryref href="…">` for another list.
///
/// Few of these lists are well-formed XML, so the parser only scans for tags. Element names may be in any case.
struct AsxList {
  private(set) var entries: [ListEntry] = []
  private var references: [Reference] = []
  private var title: String?

  private static let maxTagCount = 32_768

  init(_ text: ListingText) {
    var tags = TagScanner(text.characters)
    var left = Self.maxTagCount
    while entries.count + references.count < PlaylistLimits.maxEntryCount, left > 0, let tag = tags.next() {
      left -= 1
      switch tag.name {
      case "entry", "/entry": finishEntry()
      case "title": title = title ?? ListEntry.plainTitle(tags.text()[...])
      case "ref", "entryref":
        if let reference = tag.href.flatMap({ Reference($0.withoutEntities[...]) }) { references.append(reference) }
      default: break
      }
    }
    finishEntry()
  }

  private mutating func finishEntry() {
    entries += references.map { ListEntry($0, title: title, seconds: nil) }
    references = []
    title = nil
  }
}

extension String {
  /// The text with XML's five predefined entities decoded (XML 1.0, section 4.6); any other "&" stays.
  fileprivate var withoutEntities: String {
    var text = ""
    var rest = utf8[...]
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += Substring(rest[..<ampersand])
      rest = rest[ampersand...]
      let entity = Self.entities.first { rest.starts(with: $0.name.utf8) }
      text += entity?.character ?? "&"
      rest = rest.dropFirst(entity?.name.utf8.count ?? 1)
    }
    return text + Substring(rest)
  }

  private static let entities: [(name: String, character: String)] = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
  ]
}
