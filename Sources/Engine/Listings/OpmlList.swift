/// An OPML 2.0 outline: every `outline` that has an address, however deep it stands.
///
/// Stations stand in `url`, feeds in `xmlUrl`, names in any case. Left out are links (`type="link"`), which lead to
/// pages and further outlines, and comments (`isComment="true"`) with all that they hold.
struct OpmlList {
  /// The entries as they come.
  let entries: [ListEntry]

  init(_ text: ListingText) throws(ListingError) {
    let outlines = OpmlOutlines()
    do {
      try XmlReader(to: outlines).read(Array(text.characters.utf8).span)
    } catch {
      if outlines.entries.isEmpty { throw error }
    }
    entries = outlines.entries
  }
}

/// Gathers the outlines while the document is read.
private final class OpmlOutlines: XmlHandler {
  private(set) var entries: [ListEntry] = []
  /// Whether each element around is one, or in one, that does not count.
  private var path: [Bool] = []

  func start(_ name: String, attributes: [String: String]) {
    let names = attributes.map { (name: $0.key[...].asciiLowercased, written: $0.key, value: $0.value) }
    // Of two that differ in case only, always the same counts.
    func attribute(_ name: String) -> Substring? {
      names.filter { $0.name == name }.min { $0.written < $1.written }.map { $0.value[...] }
    }
    let isComment = path.last ?? false || attribute("iscomment")?.asciiLowercased == "true"
    path.append(isComment)
    guard !isComment, name[...].asciiLowercased == "outline", entries.count < PlaylistParser.entryLimit,
      attribute("type")?.asciiLowercased != "link",
      let reference = (attribute("url") ?? attribute("xmlurl")).flatMap({ Reference($0) })
    else { return }
    let title = attribute("text").flatMap(ListEntry.title) ?? attribute("title").flatMap(ListEntry.title)
    entries.append(ListEntry(reference, title: title, seconds: nil))
  }

  func end(_ name: String) { _ = path.popLast() }

  func text(_ piece: UnsafeRawBufferPointer) {}

  var isFull: Bool { entries.count >= PlaylistParser.entryLimit }
}
