import Framing
import Http
import Listings
import Units

/// Contents of a playlist or a podcast feed: the addresses to try and the items to report. A value.
struct ListContents {
  /// Addresses in list order; empty for a feed.
  private(set) var entries: [(address: WebAddress, title: String?)] = []
  /// Items to report; for a feed the episodes in playing order.
  private(set) var items: [FileList.Item] = []
  private(set) var title: String?
  /// The declared encoding if unknown, so that the text was read as windows-1252; nil otherwise.
  private(set) var unknownEncoding: String?

  /// `contentType`: the header field, for a list that declares no encoding.
  init(_ text: [UInt8], _ kind: PlaylistKind, contentType: String? = nil, at base: WebAddress) {
    guard let listed = try? PlaylistParser.entries(of: text.span, kind: kind, contentType: contentType) else { return }
    unknownEncoding = PlaylistParser.unknownEncoding(of: text.span)
    var resolver = ListResolver(base, limit: PlaylistParser.textLimit)
    for entry in listed {
      guard let address = resolver.resolve(entry.reference, options: entry.options) else { continue }
      let title = entry.shownTitle
      entries.append((address, title))
      items.append(FileList.Item(url: address.url, title: title, seconds: entry.seconds))
    }
  }

  init(_ choice: VariantChoice, at base: WebAddress) {
    var resolver = ListResolver(base, limit: PlaylistParser.textLimit)
    entries = choice.candidates.compactMap { resolver.resolve($0.address) }.map { ($0, nil) }
  }

  /// Orders episodes by date if each has one: a serial podcast from its first, others from the newest. Otherwise the
  /// feed starts with the newest.
  private static func ordered(_ items: [FileList.Item], isSerial: Bool) -> [FileList.Item] {
    guard items.allSatisfy({ $0.date != nil }) else { return isSerial ? items.reversed() : items }
    let places = items.indices.sorted { one, other in
      let (first, second) = (items[one].date ?? 0, items[other].date ?? 0)
      if first == second { return isSerial ? one > other : one < other }
      return isSerial ? first < second : first > second
    }
    return places.map { items[$0] }
  }

  init(_ feed: Feed?, at base: WebAddress) {
    guard let feed else { return }
    title = feed.title.map { StationAddress.redacting($0) }
    var resolver = ListResolver(base, limit: FeedLimits.maxTextLength)
    items = feed.episodes.compactMap { episode -> FileList.Item? in
      guard let address = resolver.resolve(episode.reference), address.url != base.url else { return nil }
      return FileList.Item(
        url: address.url, title: episode.shownTitle, identifier: episode.identifier, date: episode.date,
        seconds: episode.seconds)
    }
    unknownEncoding = feed.unknownEncoding
    items = Self.ordered(items, isSerial: feed.isSerial)
  }
}
