/// Parses the stations that other players store in XML: Radiotray's bookmarks and Kodi's favourites.
///
/// Radiotray: `bookmark` with `name` and `url`, at any depth of `group`. Kodi: `favourite` with `name`, whose text is
/// `PlayMedia("ADDRESS")`.
final class BookmarkList: XmlList {
  private(set) var entries: [ListEntry] = []
  private(set) var root: String?
  private var favourite: String?
  private var words: [UInt8] = []

  func start(_ name: String, attributes: [String: String]) {
    let name = name[...].asciiLowercased
    if root == nil { root = name }
    (favourite, words) = (nil, [])
    switch (root, name) {
    case ("bookmarks", "bookmark"): add(attributes["url"], attributes["name"])
    case ("favourites", "favourite"): favourite = attributes["name"] ?? ""
    default: break
    }
  }

  func text(_ piece: UnsafeRawBufferPointer) {
    if favourite != nil, words.count <= PlaylistLimits.maxLineLength { words.append(contentsOf: piece) }
  }

  func end(_ name: String) {
    defer { favourite = nil }
    guard let favourite, words.count <= PlaylistLimits.maxLineLength else { return }
    let text = String(decoding: words, as: UTF8.self)[...].trimmed
    guard text.hasPrefix(anyCase: "playmedia("), text.hasSuffix(")") else { return }
    var argument = text.dropFirst("playmedia(".count).dropLast().trimmed
    if let quote = argument.first, quote == "\"", let end = argument.dropFirst().firstIndex(of: quote) {
      argument = argument[argument.index(after: argument.startIndex)..<end]
    }
    add(String(argument), favourite)
  }

  private func add(_ address: String?, _ title: String?) {
    guard !isFull, let reference = address.flatMap({ Reference($0[...]) }) else { return }
    entries.append(ListEntry(reference, title: title.flatMap { ListEntry.title($0[...]) }, seconds: nil))
  }

  var isFull: Bool { entries.count >= PlaylistLimits.maxEntryCount }
}
