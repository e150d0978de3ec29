import Framing
import Listings
import Units

/// What a list or a feed names: addresses to be tried, and how they are told. A value.
struct ListContents {
  /// The addresses of a list, in its order.
  private(set) var entries: [(address: WebAddress, title: String?)] = []
  /// The same as it is told; of a feed the episodes, in the order in which they are played.
  private(set) var items: [FileList.Item] = []
  /// What a feed calls itself; nil where it does not.
  private(set) var title: String?

  /// What a list at `base` names.
  init(_ text: [UInt8], _ kind: PlaylistKind, at base: WebAddress) {
    guard let listed = try? PlaylistParser.entries(of: text.span, kind: kind) else { return }
    var resolver = ListResolver(base, limit: PlaylistParser.textLimit)
    for entry in listed {
      guard let address = resolver.resolve(entry.reference) else { continue }
      let title = entry.shownTitle
      entries.append((address, title))
      items.append(FileList.Item(url: address.url, title: title, seconds: entry.seconds))
    }
  }

  /// What is to be played of an HLS station's variants, whose list is at `base`.
  init(_ choice: VariantChoice, at base: WebAddress) {
    var resolver = ListResolver(base, limit: PlaylistParser.textLimit)
    entries = choice.candidates.compactMap { resolver.resolve($0.address) }.map { ($0, nil) }
  }

  /// What a podcast's feed at `base` names; nil: it could not be read.
  init(_ feed: Feed?, at base: WebAddress) {
    guard let feed else { return }
    title = feed.title.map { StationAddress.redacting($0) }
    var resolver = ListResolver(base, limit: FeedReader.textLimit)
    items = feed.episodes.compactMap { episode -> FileList.Item? in
      guard let address = resolver.resolve(episode.reference), address.url != base.url else { return nil }
      return FileList.Item(
        url: address.url, title: episode.shownTitle, identifier: episode.identifier, date: episode.date,
        seconds: episode.seconds)
    }
    // A story is told from its beginning.
    guard feed.isSerial else { return }
    let isDated = items.allSatisfy { $0.date != nil }
    items = isDated ? items.sorted { ($0.date ?? 0) < ($1.date ?? 0) } : items.reversed()
  }
}
