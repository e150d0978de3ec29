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

  init(_ text: [UInt8], _ kind: PlaylistKind, at base: WebAddress) {
    guard let listed = try? PlaylistParser.entries(of: text.span, kind: kind) else { return }
    unknownEncoding = PlaylistParser.unknownEncoding(of: text.span)
    var resolver = ListResolver(base, limit: PlaylistParser.textLimit)
    for entry in listed {
      guard let address = resolver.resolve(entry.reference) else { continue }
      let title = entry.shownTitle
      entries.append((address, title))
      items.append(FileList.Item(url: address.url, title: title, seconds: entry.seconds))
    }
  }

  init(_ choice: VariantChoice, at base: WebAddress) {
    var resolver = ListResolver(base, limit: PlaylistParser.textLimit)
    entries = choice.candidates.compactMap { resolver.resolve($0.address) }.map { ($0, nil) }
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
    // A serial podcast plays from its first episode.
    guard feed.isSerial else { return }
    let isDated = items.allSatisfy { $0.date != nil }
    items = isDated ? items.sorted { ($0.date ?? 0) < ($1.date ?? 0) } : items.reversed()
  }
}
