/// Parses an OPML 2.0 outline: every `outline` with an address, at any depth.
///
/// Stations have `url`, feeds `xmlUrl`, in any case. Omits links (`type="link"`) to pages and other outlines, and
/// comments (`isComment="true"`) with their contents.
final class OpmlList: XmlList {
  private(set) var entries: [ListEntry] = []
  /// For each open element, true if it is a comment or inside a comment.
  private var path: [Bool] = []

  func start(_ name: String, attributes: [String: String]) {
    let names = attributes.map { (name: $0.key[...].asciiLowercased, written: $0.key, value: $0.value) }

    // If names differ only in case, always selects the same name, because a dictionary has no order.
    func attribute(_ name: String) -> Substring? {
      names.filter { $0.name == name }.min { $0.written < $1.written }.map { $0.value[...] }
    }
    let isComment = path.last ?? false || attribute("iscomment")?.asciiLowercased == "true"
    path.append(isComment)
    guard !isComment, name[...].asciiLowercased == "outline", entries.count < PlaylistLimits.maxEntryCount,
      attribute("type")?.asciiLowercased != "link",
      let reference = (attribute("url") ?? attribute("xmlurl")).flatMap({ Reference($0) })
    else { return }
    let title = attribute("text").flatMap(ListEntry.title) ?? attribute("title").flatMap(ListEntry.title)
    entries.append(ListEntry(reference, title: title, seconds: nil))
  }

  func end(_ name: String) { _ = path.popLast() }

  func text(_ piece: UnsafeRawBufferPointer) {}

  var isFull: Bool { entries.count >= PlaylistLimits.maxEntryCount }
}
