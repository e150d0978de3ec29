/// Parses an XSPF 1.0 list: `playlist/trackList/track` with `location`s, a `title` and a `duration` in milliseconds.
///
/// Names may have any case and prefix. Each location of a track is an entry, resolved against its `xml:base`.
final class XspfList: XmlList {
  private(set) var entries: [ListEntry] = []

  private struct Element {
    var name: String
    var base: ReferenceBase?
  }

  private struct Track {
    var locations: [Reference] = []
    var title: String?
    var seconds: Int?
  }

  private var path: [Element] = []
  private var track = Track()
  /// Text of the innermost element if it is a field of a track; longer than `maxLineLength` if too long to use.
  private var words: [UInt8]?
  private var budget = ResolvingBudget(byteCount: 1 << 20)

  var isFull: Bool { entries.count >= PlaylistLimits.maxEntryCount || budget.isSpent }

  private var isInTrack: Bool { path.prefix(3).map(\.name) == ["playlist", "tracklist", "track"] }

  func start(_ name: String, attributes: [String: String]) {
    let above = path.last?.base
    let base = ReferenceBase(attributes["xml:base"], above: above)
    let localName = name[...].utf8.split(separator: UInt8(ascii: ":")).last.map(Substring.init) ?? ""
    path.append(Element(name: localName.asciiLowercased, base: base ?? above))
    if path.count == 3 { track = Track() }
    words = path.count == 4 && isInTrack ? [] : nil
  }

  func text(_ piece: UnsafeRawBufferPointer) {
    guard let count = words?.count, count <= PlaylistLimits.maxLineLength else { return }
    words?.append(contentsOf: piece)
  }

  func end(_ name: String) {
    if let words { addEntry(String(decoding: words, as: UTF8.self)[...]) }
    words = nil
    if path.count == 3, isInTrack { finishTrack() }
    _ = path.popLast()
  }

  private func addEntry(_ words: Substring) {
    switch path.last?.name {
    case "location":
      guard entries.count + track.locations.count < PlaylistLimits.maxEntryCount,
        let location = Reference(words).flatMap({ budget.resolve($0, against: path.last?.base) })
      else { return }
      track.locations.append(location)
    case "title": track.title = track.title ?? ListEntry.title(words)
    case "duration": track.seconds = Int(words.trimmed).flatMap { $0 >= 1_000 ? $0 / 1_000 : nil }
    default: break
    }
  }

  private func finishTrack() {
    for (place, location) in track.locations.enumerated() {
      var entry = ListEntry(location, title: track.title, seconds: track.seconds)
      entry.isAlternative = place > 0
      entries.append(entry)
    }
  }
}
